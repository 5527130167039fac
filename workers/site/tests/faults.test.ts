import { describe, expect, test } from 'vitest'
import { fetchPage } from './fetch-page.ts'
import {
  createSimulatedNetwork,
  HOST,
  type Isolate,
  type SimulatedNetwork,
} from './simulated-network.ts'

const SECOND = 1000
const PATHS = ['/', '/lighthouse', '/category/port']

async function warmCache(isolate: Isolate): Promise<void> {
  for (const path of PATHS) await fetchPage(isolate, path)
}

const isWrite = (operation: string) => operation === 'put' || operation === 'delete'
const faults: [string, (network: SimulatedNetwork, isolate: Isolate) => unknown][] = [
  ['KV fails', ({ kv }) => Object.assign(kv.faults, { failing: true })],
  ['KV is over quota', ({ kv }) => Object.assign(kv.faults, { quota: 0 })],
  ['KV rejects writes', ({ kv }) => Object.assign(kv.faults, { failing: isWrite })],
  [
    'each KV operation takes a minute',
    ({ kv }) => Object.assign(kv.faults, { latency: 60 * SECOND }),
  ],
  ['the edge cache fails', (_, { edge }) => Object.assign(edge, { failing: true })],
  ['the edge cache evicts everything', (_, { edge }) => edge.clear()],
]

describe.each(faults)('when %s', (_, fail) => {
  test('every page is served, cached or not', async () => {
    const network = createSimulatedNetwork()
    const isolate = network.createIsolate()
    await fetchPage(isolate, '/')
    fail(network, isolate)
    for (const path of [...PATHS, ...PATHS])
      expect(await fetchPage(isolate, path)).toMatchObject({ status: 200 })
    await network.clock.advance(20 * SECOND)
    for (const path of PATHS) expect(await fetchPage(isolate, path)).toMatchObject({ status: 200 })
  })

  test('and the API fails too, pages are served from the other cache', async () => {
    const network = createSimulatedNetwork()
    const isolate = network.createIsolate()
    await warmCache(isolate)
    fail(network, isolate)
    network.api.mode = 'status-500'
    await network.clock.advance(100 * SECOND)
    for (const path of PATHS) expect(await fetchPage(isolate, path)).toMatchObject({ status: 200 })
  })

  test('a visitor waits for at most four seconds', async () => {
    const network = createSimulatedNetwork()
    const isolate = network.createIsolate()
    await warmCache(isolate)
    fail(network, isolate)
    await network.clock.advance(20 * SECOND)
    const before = network.clock.now()
    await isolate.get('/lighthouse')
    expect(network.clock.now() - before).toBeLessThanOrEqual(4 * SECOND)
  })
})

test('the purged version of a page is not served again, not even while the API fails', async () => {
  const { createIsolate, api, clock } = createSimulatedNetwork()
  const isolate = createIsolate()
  await warmCache(isolate)
  await clock.advance(2 * SECOND)
  await isolate.purge({ host: HOST, url: '/lighthouse' })
  api.mode = 'status-500'
  expect((await fetchPage(isolate, '/lighthouse')).status).toBe(503)
  expect((await fetchPage(isolate, '/')).status).toBe(200)
})

test('a copy of the invalidation log in the edge cache is ignored if its body cannot be read', async () => {
  const brokenBody = () => new ReadableStream({ pull: (stream) => stream.error(new Error('cut')) })
  const edge = {
    match: async (url: string) =>
      url.endsWith('/invalidation-log') ? new Response(brokenBody()) : undefined,
    put: async () => {},
    delete: async () => false,
  }
  const isolate = createSimulatedNetwork().createIsolate('here', { ports: { edge } })
  expect((await fetchPage(isolate)).status).toBe(200)
})

test('a page is served from the edge cache while KV still returns the miss from before its rendering', async () => {
  const { createIsolate, api, kv } = createSimulatedNetwork()
  kv.faults.keepsCachedMisses = true
  const isolate = createIsolate()
  await fetchPage(isolate)
  api.calls.length = 0
  expect((await fetchPage(isolate)).cacheStatus).toContain('detail=edge')
  expect(api.calls).toEqual([])
})

describe('an isolate whose clock is wrong', () => {
  test.each([
    ['by a day (fast)', 24 * 3600 * SECOND],
    ['by an hour (slow)', -3600 * SECOND],
  ])('%s serves pages, and purges them', async (_, clockSkewMs) => {
    const { createIsolate, api, clock } = createSimulatedNetwork()
    api.hasEmptyChangeLog = true
    await warmCache(createIsolate())
    const skewed = createIsolate('here', { clockSkewMs })
    for (const path of PATHS) expect((await fetchPage(skewed, path)).status).toBe(200)
    api.publish({ title: 'New' })
    await clock.advance(2 * SECOND)
    await skewed.purge({ host: HOST, urls: PATHS })
    await clock.advance(6 * SECOND)
    expect((await fetchPage(skewed, '/lighthouse')).text).toContain('New')
  })
})

describe('concurrent requests for an uncached page', () => {
  test('cause one rendering and one API call per resource', async () => {
    const { createIsolate, api, clock } = createSimulatedNetwork()
    const isolate = createIsolate()
    api.delay = () => clock.sleep(50)
    const responses = await Promise.all(
      Array.from({ length: 1000 }, () => isolate.get('/lighthouse')),
    )
    expect(responses.every(({ status }) => status === 200)).toBe(true)
    expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1)
    expect(api.calls.toSorted()).toEqual([
      expect.stringContaining('/sites/harbour/pages/lighthouse'),
      '/sites/harbour/settings',
    ])
  })

  // workerd does not continue the work of a cancelled request, so its load never ends.
  test('do not wait forever for a load that never ends', async () => {
    const { createIsolate, api, clock } = createSimulatedNetwork()
    const isolate = createIsolate()
    api.delay = () => new Promise(() => {})
    void isolate.site.fetch(new Request(`https://${HOST}/lighthouse`), () => {})
    await clock.advance(SECOND)
    api.delay = async () => {}
    const before = clock.now()
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => isolate.get('/lighthouse')),
    )
    expect(responses.every(({ status }) => status === 200)).toBe(true)
    expect(clock.now() - before).toBeLessThan(35 * SECOND)
    expect(api.calls.filter((path) => path.includes('/pages/')).length).toBeLessThanOrEqual(2)
  })

  test('cause one call while the API fails, and the failure is cached for two seconds', async () => {
    const { createIsolate, api, clock } = createSimulatedNetwork()
    const isolate = createIsolate()
    api.mode = 'status-500'
    for (let wave = 0; wave < 3; wave++)
      for (const { status } of await Promise.all(
        Array.from({ length: 100 }, () => isolate.get('/')),
      ))
        expect(status).toBe(503)
    expect(api.calls).toHaveLength(1)
    api.mode = 'ok'
    await clock.advance(2 * SECOND)
    expect((await fetchPage(isolate, '/')).status).toBe(200)
  })
})
