import { describe, expect, test, vi } from 'vitest'
import { cacheStatusOf, fetchPage } from './fetch-page.ts'
import {
  createSimulatedNetwork,
  HOST,
  type Isolate,
  type SimulatedNetwork,
} from './simulated-network.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

describe('a stale page', () => {
  test('is served, is revalidated after the response, and is fresh for the next visitor', async () => {
    const { createIsolate, api, clock } = createSimulatedNetwork()
    const isolate = createIsolate()
    api.hasEmptyChangeLog = true
    await fetchPage(isolate)
    api.publish({ title: 'News' })
    await clock.advance(299 * SECOND)
    expect((await fetchPage(isolate)).cacheStatus).toContain('ttl=1')
    isolate.edge.clear()
    await clock.advance(2 * SECOND)
    const stale = await fetchPage(isolate)
    expect(stale).toMatchObject({ cacheStatus: 'cms-edge; hit; ttl=-1; detail=kv' })
    expect(stale.text).toContain('The lighthouse')
    expect((await fetchPage(isolate)).text).toContain('News')
  })

  test('is revalidated once in a data centre, for any number of visitors', async () => {
    const { createIsolate, api, clock } = createSimulatedNetwork()
    const isolates = [createIsolate(), createIsolate()]
    await Promise.all(isolates.map((isolate) => fetchPage(isolate, '/')))
    api.calls.length = 0
    api.delay = () => clock.sleep(3 * SECOND)
    await clock.advance(65 * SECOND)
    for (const isolate of [...isolates, ...isolates])
      expect(cacheStatusOf(await isolate.get('/'))).toContain('hit; ttl=-5')
    for (const isolate of isolates) await isolate.waitForBackgroundWork()
    expect(api.calls.filter((path) => path.includes('/lists'))).toHaveLength(1)
  })

  test('is renewed without rendering when its API responses are unchanged', async () => {
    const { createIsolate, api, clock, logs } = createSimulatedNetwork()
    const isolate = createIsolate()
    const first = await fetchPage(isolate, '/')
    await clock.advance(61 * SECOND)
    api.calls.length = 0
    logs.length = 0
    await fetchPage(isolate, '/')
    const renewed = await isolate.get('/')
    expect(cacheStatusOf(renewed)).toBe('cms-edge; hit; ttl=60; detail=edge')
    expect(await renewed.text()).toBe(first.text)
    expect(api.calls).toEqual([expect.stringContaining('/lists?kind=homepage')])
  })

  test('is rendered again when the settings changed', async () => {
    const { createIsolate, api, clock } = createSimulatedNetwork()
    const isolate = createIsolate()
    api.hasEmptyChangeLog = true
    await fetchPage(isolate)
    api.updateSettings({ css_version: '2.0.0' })
    // The first revalidation uses the settings while they are stale, the second one the new settings.
    for (const _ of ['first', 'second']) {
      await clock.advance(301 * SECOND)
      await fetchPage(isolate)
    }
    expect((await fetchPage(isolate)).text).toContain('/css/harbour/2.0.0.css')
  })

  test('is rendered again by another build', async () => {
    const { createIsolate, clock } = createSimulatedNetwork()
    const isolate = createIsolate()
    const before = (await isolate.get('/lighthouse')).headers.get('etag')
    await isolate.waitForBackgroundWork()
    await clock.advance(301 * SECOND)
    const deployed = createIsolate('here', { config: { build: 'ffffffffffff' } })
    await fetchPage(deployed)
    const after = (await deployed.get('/lighthouse')).headers.get('etag')
    expect(after).toMatch(/-ffffffffffff"$/)
    expect(after).not.toBe(before)
  })

  test('is rendered again when the configuration overrides the version of the stylesheet', async () => {
    const { createIsolate, clock } = createSimulatedNetwork()
    await fetchPage(createIsolate())
    await clock.advance(301 * SECOND)
    const switched = createIsolate('here', { config: { cssOverride: { version: '9.9.9' } } })
    await fetchPage(switched)
    expect((await fetchPage(switched)).text).toContain('/css/harbour/9.9.9.css')
  })

  test('is rendered again after a day, even if its API responses are unchanged', async () => {
    const { createIsolate, clock } = createSimulatedNetwork()
    const isolate = createIsolate()
    expect((await fetchPage(isolate, '/archive/2026/11')).text).not.toContain('/archive/2026/12')
    // From 21 November until 2 December, when the archive links to the new month.
    for (let day = 0; day < 11; day++) {
      await clock.advance(24 * 3600 * SECOND)
      await fetchPage(isolate, '/archive/2026/11')
    }
    expect((await fetchPage(isolate, '/archive/2026/11')).text).toContain('href="/archive/2026/12"')
  })
})

describe('a page when an article is scheduled in 20 s', () => {
  test.each([
    ['/', 20, 'shows a list'],
    ['/nothing-here', 20, 'may become a page'],
    ['/lighthouse', 300, 'does not show the new article'],
  ])('at %s is fresh for %i s, because it %s', async (path, ttl) => {
    const { createIsolate, api, clock } = createSimulatedNetwork()
    const isolate = createIsolate()
    api.nextChange = new Date(clock.now() + 20 * SECOND).toISOString()
    expect((await fetchPage(isolate, path)).cacheStatus).toContain(`ttl=${ttl}`)
  })

  test('is outdated once the article was published: it is revalidated before it is served', async () => {
    const { createIsolate, api, clock } = createSimulatedNetwork()
    const isolate = createIsolate()
    api.hasEmptyChangeLog = true
    api.nextChange = new Date(clock.now() + 20 * SECOND).toISOString()
    await fetchPage(isolate, '/')
    api.publish({ slug: 'scheduled', title: 'Scheduled' })
    await clock.advance(21 * SECOND)
    expect((await fetchPage(isolate, '/')).text).toContain('Scheduled')
  })
})

describe('an edge cache entry that is not served', () => {
  const invalidations: [string, (isolate: Isolate, clock: SimulatedNetwork['clock']) => unknown][] =
    [
      ['purged', (isolate) => isolate.purge({ host: HOST, url: '/lighthouse' })],
      ['outdated', (_, clock) => clock.advance(26 * HOUR)],
    ]

  test.each(invalidations)('because it is %s: its body is cancelled', async (_, invalidate) => {
    const { createIsolate, clock } = createSimulatedNetwork()
    const isolate = createIsolate()
    await fetchPage(isolate)
    const headers = new Headers(isolate.edge.copies.get(`https://${HOST}/lighthouse`)?.headers)
    await clock.advance(2 * SECOND)
    await invalidate(isolate, clock)
    const cancel = vi.fn()
    const match = async (url: string) =>
      url.endsWith('/lighthouse')
        ? new Response(new ReadableStream({ cancel }), { headers })
        : isolate.edge.match(url)
    const withTrackedBody = createIsolate('here', { ports: { edge: { ...isolate.edge, match } } })
    expect((await fetchPage(withTrackedBody)).cacheStatus).toMatch(/fwd=uri-miss/)
    expect(cancel).toHaveBeenCalledOnce()
  })
})

describe('while the API fails', () => {
  test.each(['connection-refused', 'status-500', 'status-429'] as const)(
    'with %s, cached pages are served',
    async (mode) => {
      const { createIsolate, api, clock } = createSimulatedNetwork()
      const isolate = createIsolate()
      await fetchPage(isolate)
      api.mode = mode
      for (const age of [200 * SECOND, 10 * HOUR, 20 * 24 * HOUR]) {
        await clock.advance(age)
        expect((await fetchPage(isolate)).status).toBe(200)
      }
      expect((await fetchPage(isolate)).cacheStatus).toMatch(/fwd=stale; ttl=-\d+; detail=kv/)
    },
  )

  test('a page that is not cached is a 503 with Retry-After, and is not stored', async () => {
    const { createIsolate, api, clock } = createSimulatedNetwork()
    const isolate = createIsolate()
    api.mode = 'status-500'
    const response = await isolate.get('/lighthouse')
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('10')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.text()).toContain('<h1>')
    api.mode = 'ok'
    await clock.advance(3 * SECOND)
    expect((await fetchPage(isolate)).status).toBe(200)
  })

  test('a page that was unpublished before is a 503, because the 404 has deleted it from KV', async () => {
    const { createIsolate, api, clock, kv } = createSimulatedNetwork()
    const isolate = createIsolate()
    await fetchPage(isolate)
    api.unpublish('lighthouse')
    await clock.advance(301 * SECOND)
    await fetchPage(isolate)
    expect((await fetchPage(isolate)).status).toBe(404)
    expect(kv.written.get(`${HOST}:/lighthouse`)?.at(-1)?.value).toBeNull()
    api.mode = 'status-500'
    await clock.advance(60 * SECOND)
    expect((await fetchPage(isolate)).status).toBe(503)
  })
})

describe('a 404 or 204 from the API while KV reads fail', () => {
  const key = `${HOST}:/lighthouse`
  const otherDataCentre = 'other'
  const responses: [string, number, (network: SimulatedNetwork) => void][] = [
    ['a 404', 404, ({ api }) => api.unpublish('lighthouse')],
    [
      'a 204, which means that it exists in other languages only,',
      302,
      ({ api }) => api.publish({ language: 'de', path: '/de/lighthouse', alternates: [] }),
    ],
  ]

  test.each(responses)('%s deletes the page from KV', async (_, status, change) => {
    const network = createSimulatedNetwork()
    const { createIsolate, kv, clock } = network
    await fetchPage(createIsolate())
    await clock.advance(60 * SECOND)
    change(network)
    kv.faults.failing = (operation, requestedKey) => operation === 'get' && requestedKey === key
    expect((await fetchPage(createIsolate(otherDataCentre))).status).toBe(status)
    expect(kv.written.get(key)?.at(-1)?.value).toBeNull()
  })

  test('a 404 is served although KV fails to delete the page, which is logged', async () => {
    const { createIsolate, api, kv, logs } = createSimulatedNetwork()
    await fetchPage(createIsolate())
    api.unpublish('lighthouse')
    kv.faults.failing = (_, requestedKey) => requestedKey === key
    expect((await fetchPage(createIsolate(otherDataCentre))).status).toBe(404)
    expect(logs).toContainEqual(expect.objectContaining({ level: 'warn', action: 'kv delete' }))
  })
})
