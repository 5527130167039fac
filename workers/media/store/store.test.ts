import { expect, test } from 'vitest'
import { createStore, PATIENCE } from './store.ts'

test('gives up when the time of a request is over, however long one answer may take', async () => {
  const store = createStore({
    store: { bucketUrl: 'http://none', region: 'none', accessKeyId: 'a', secretAccessKey: 'b' },
    patience: PATIENCE,
    fetch: () => new Promise(() => {}),
    now: Date.now,
  })
  const { answer, attempts } = await store('a.txt', Date.now() + 30)
  expect(answer).toMatchObject({ type: 'failed', status: 504 })
  expect(attempts).toBe(1)
})
