import { expect, test } from 'vitest'
import { RequestTrace } from '../request/request-trace.ts'
import { createStore } from './store.ts'

test('does not retry after a deadline', async () => {
  const store = createStore({
    store: { bucketUrl: 'http://none', region: 'none', accessKeyId: 'a', secretAccessKey: 'b' },
    retries: { attempts: 3, pauseMs: 1, responseMs: 30, chunkMs: 30 },
    fetch: () => new Promise(() => {}),
    now: Date.now,
  })
  const trace = new RequestTrace(Date.now)
  await expect(store({ key: 'a.txt' }, trace)).rejects.toMatchObject({ status: 504 })
  expect(trace.storeReads).toBe(1)
})
