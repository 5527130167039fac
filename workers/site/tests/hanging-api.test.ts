import { expect, test } from 'vitest'
import { createSimulatedNetwork } from './simulated-network.ts'

const SECOND = 1000

// The deadline of a call uses a timer of the runtime, so the first page takes 5 real seconds.
test('a hanging API delays one uncached page by 5 s, and no other page in the next 10 s', async () => {
  const { createIsolate, api, clock } = createSimulatedNetwork()
  const isolate = createIsolate()
  await isolate.get('/lighthouse')
  api.publish({ slug: 'pier', title: 'The pier' })
  api.mode = 'hanging'

  const first = await timed(() => isolate.get('/uncached-0'))
  expect(first.status).toBe(503)
  expect(first.milliseconds).toBeGreaterThan(4.9 * SECOND)
  expect(first.milliseconds).toBeLessThan(7 * SECOND)

  api.calls.length = 0
  const otherPaths = Array.from({ length: 20 }, (_, index) => `/uncached-${index + 1}`)
  const others = await timed(() => Promise.all(otherPaths.map((path) => isolate.get(path))))
  expect(others.milliseconds).toBeLessThan(SECOND)
  expect(api.calls).toEqual([])
  expect((await isolate.get('/lighthouse')).status, 'a cached page').toBe(200)

  api.mode = 'ok'
  await clock.advance(10 * SECOND)
  expect(await (await isolate.get('/pier')).text()).toContain('The pier')
}, 20_000)

async function timed<T extends object>(
  work: () => Promise<T>,
): Promise<T & { milliseconds: number }> {
  const started = performance.now()
  const result = await work()
  return Object.assign(result, { milliseconds: performance.now() - started })
}
