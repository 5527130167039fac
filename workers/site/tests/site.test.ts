import { describe, expect, test } from 'vitest'
import { toSettingsKey } from '../keys.ts'
import { SECURITY_HEADERS } from '../security.ts'
import { fetchPage } from './fetch-page.ts'
import type { MovedPage } from './read-api.ts'
import { createSimulatedNetwork, ENV, HOST, type Isolate } from './simulated-network.ts'

const SECOND = 1000
/** The settings are in KV under this key; the key of a page is `<host>:<path>`. */
const SETTINGS_KEY = toSettingsKey(HOST)

test.each([
  '/lighthouse',
  '/__cms/health',
  '/__cms/purge',
  '/lighthouse?_preview=no',
  '/nowhere',
  '//x',
])('the response to %s has the security headers', async (path) => {
  const { headers } = await createSimulatedNetwork().createIsolate().get(path)
  for (const name of Object.keys(SECURITY_HEADERS)) expect(headers.has(name), name).toBe(true)
})

describe('a page', () => {
  test('is rendered once, then served from the edge cache, then from KV', async () => {
    const { createIsolate, api } = createSimulatedNetwork()
    const isolate = createIsolate()
    const rendered = await fetchPage(isolate)
    expect(rendered.text).toContain('<h1>The lighthouse</h1>')
    expect(rendered.cacheStatus).toMatch(/fwd=uri-miss; ttl=300/)
    const calls = api.calls.length
    expect((await fetchPage(isolate)).cacheStatus).toBe('cms-edge; hit; ttl=300; detail=edge')
    await isolate.clearEdgeAfterOneSecond()
    expect((await fetchPage(isolate)).cacheStatus).toBe('cms-edge; hit; ttl=299; detail=kv')
    expect(api.calls).toHaveLength(calls)
  })

  test('needs one lookup in the edge cache and none in KV on a hit', async () => {
    const { createIsolate, kv } = createSimulatedNetwork()
    const isolate = createIsolate()
    await fetchPage(isolate)
    const before = { edge: isolate.edge.operations, kv: kv.operations }
    await fetchPage(isolate)
    expect(isolate.edge.operations - before.edge).toBe(1)
    expect(kv.operations - before.kv).toBe(0)
  })

  test.each<[string, string, RequestInit]>([
    ['a page', '/lighthouse', {}],
    ['HEAD', '/lighthouse', { method: 'HEAD' }],
    ['a 304', '/lighthouse', { headers: { 'if-none-match': '*' } }],
    ['a missing page', '/nowhere', {}],
    ['a purged page', '/purged', {}],
  ])('leaves no edge cache body unread: %s', async (_, path, init) => {
    const { createIsolate, api, clock } = createSimulatedNetwork()
    api.publish({ slug: 'purged' })
    const [first, second] = [createIsolate(), createIsolate()]
    for (const cached of ['/lighthouse', '/nowhere', '/purged']) await fetchPage(first, cached)
    await clock.advance(2 * SECOND)
    await first.purge({ host: HOST, url: '/purged' })
    await (await second.get(path, init)).text()
    await second.waitForBackgroundWork()
    expect(second.edge.openBodies).toBe(0)
  })

  test('is cached once for all queries, and ignores the header Range', async () => {
    const { createIsolate, api } = createSimulatedNetwork()
    const isolate = createIsolate()
    await fetchPage(isolate, '/lighthouse?utm_source=a')
    const calls = api.calls.length
    const hit = await isolate.get('/lighthouse?b=2', { headers: { range: 'bytes=0-3' } })
    expect(hit.status).toBe(200)
    expect(api.calls).toHaveLength(calls)
  })

  test('has cache and security headers, and no header of the cache entry', async () => {
    const isolate = createSimulatedNetwork().createIsolate()
    for (const _ of ['rendered', 'hit']) {
      const { headers } = await isolate.get('/lighthouse')
      await isolate.waitForBackgroundWork()
      expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/)
      expect(headers.get('content-security-policy')).not.toContain('unsafe-inline')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('server-timing')).toContain('edge;dur=')
      expect(headers.has('cms-entry')).toBe(false)
    }
  })
})

describe('a page from every layer', () => {
  const layers: [string, (isolate: Isolate) => Promise<void>][] = [
    ['render', async () => {}],
    ['edge', async (isolate) => void (await fetchPage(isolate))],
    [
      'kv',
      async (isolate) => {
        await fetchPage(isolate)
        await isolate.clearEdgeAfterOneSecond()
      },
    ],
  ]

  test.each(layers)(
    '(%s) has a content type and an ETag for HEAD, but no body',
    async (_, prepare) => {
      const isolate = createSimulatedNetwork().createIsolate()
      await prepare(isolate)
      const response = await isolate.get('/lighthouse', { method: 'HEAD' })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('etag')).toMatch(new RegExp(`^W/".+-${ENV.WORKER_VERSION}"$`))
      expect(await response.text()).toBe('')
    },
  )

  test.each(layers)('(%s) is a 304 when the ETag or the date matches', async (_, prepare) => {
    const { createIsolate, clock } = createSimulatedNetwork()
    const isolate = createIsolate()
    const etag = (await createIsolate('elsewhere').get('/lighthouse')).headers.get('etag') ?? ''
    await prepare(isolate)
    const date = new Date(clock.now() + 1000).toUTCString()
    for (const headers of [{ 'if-none-match': `"x", ${etag}` }, { 'if-modified-since': date }]) {
      const response = await isolate.get('/lighthouse', { headers })
      expect(response.status).toBe(304)
      expect(response.headers.get('etag')).toBe(etag)
      expect(await response.text()).toBe('')
    }
  })
})

describe('a missing page', () => {
  test('is cached for 30 s, in the edge cache only; all missing paths share one stored body', async () => {
    const { createIsolate, api, clock, kv } = createSimulatedNetwork()
    const isolate = createIsolate()
    for (const path of ['/one', '/two', '/three'])
      expect(await fetchPage(isolate, path)).toMatchObject({ status: 404 })
    api.calls.length = 0
    const cached = await fetchPage(isolate, '/two')
    expect(cached.cacheStatus).toBe('cms-edge; hit; ttl=30; detail=edge')
    expect(cached.text).toContain('Not found')
    expect(api.calls).toEqual([])
    const bodies = [...isolate.edge.copies.values()].filter(({ body }) =>
      body.startsWith('<!doctype'),
    )
    expect(bodies).toHaveLength(1)
    expect([...kv.written.keys()].filter((key) => key.startsWith(HOST))).toEqual([])
    await clock.advance(31 * SECOND)
    api.publish({ slug: 'two', title: 'Two' })
    expect((await fetchPage(isolate, '/two')).text).toContain('Two')
  })

  test('that exists in another language redirects to its path there', async () => {
    const isolate = createSimulatedNetwork().createIsolate()
    for (const _ of ['rendered', 'hit']) {
      const response = await isolate.get('/de/lighthouse')
      await isolate.waitForBackgroundWork()
      expect(response.status).toBe(302)
      expect(response.headers.get('location')).toBe('/lighthouse')
    }
  })

  test.each(['/cmp-media/x.jpg', '/%63mp-media/x.jpg', '//cmp-media/x.jpg', '/%5F_cms/settings'])(
    'at the reserved path %s is not cached',
    async (path) => {
      const isolate = createSimulatedNetwork().createIsolate()
      const response = await isolate.get(path)
      expect(response.status).toBe(404)
      expect(response.headers.get('cache-control')).toBe('no-store')
      await isolate.waitForBackgroundWork()
      expect(isolate.edge.operations).toBe(0)
    },
  )
})

describe('a redirect', () => {
  const toMovedPage = (slug: string, location: string, status: 301 | 302 = 301): MovedPage => ({
    slug,
    redirect: { to: location, status },
  })

  test.each<[string, string, number, string]>([
    ['a trailing slash', '/lighthouse/?a=1', 301, '/lighthouse?a=1'],
    ['two slashes', '//lighthouse', 301, '/lighthouse'],
    ['the prefix of the default language', '/en/lighthouse?a=1&b', 301, '/lighthouse?a=1&b'],
    [
      'a trailing slash and the prefix of the default language',
      '/en//lighthouse/?a=1',
      301,
      '/lighthouse?a=1',
    ],
    ['a search', '/en/search?q=Red%20%26%20blue&utm=x', 301, '/search?q=Red%20%26%20blue&utm=x'],
    ['a search, with extra slashes', '/en//search/?q=red', 301, '/search?q=red'],
    [
      'an article that exists only in another language',
      '/de/lighthouse?a=1',
      302,
      '/lighthouse?a=1',
    ],
    [
      'an article that exists only in another language, with a trailing slash',
      '/de/lighthouse/?a=1',
      302,
      '/lighthouse?a=1',
    ],
    ['an article that moved', '/old?a=1', 301, '/lighthouse?a=1'],
    ['an article that moved, with a trailing slash', '/old/?a=1', 301, '/lighthouse?a=1'],
    [
      'an article that moved, with the prefix of the default language',
      '/en/old',
      301,
      '/lighthouse',
    ],
    [
      'an article that moved, with the prefix and extra slashes',
      '/en//old/?a=1',
      301,
      '/lighthouse?a=1',
    ],
    ['an article that moved temporarily', '/away/', 302, '/lighthouse?from=away'],
    ['an article that moved, with a query', '/away?a=1', 302, '/lighthouse?from=away&a=1'],
  ])('for %s takes one hop and keeps the query', async (_, path, status, location) => {
    const { createIsolate, api } = createSimulatedNetwork()
    api.movedPages.push(
      toMovedPage('old', '/lighthouse'),
      toMovedPage('away', '/lighthouse?from=away', 302),
    )
    const isolate = createIsolate()
    for (const layer of ['rendered', 'cached']) {
      const response = await isolate.get(path)
      await isolate.waitForBackgroundWork()
      expect(response.status, layer).toBe(status)
      expect(response.headers.get('location'), layer).toBe(location)
      expect(await response.text(), layer).not.toContain('<')
    }
  })

  test('from http leads to the final page on https in one hop, but a POST is a 403', async () => {
    const { site } = createSimulatedNetwork().createIsolate()
    for (const [path, status, location] of [
      ['/lighthouse?a=1', 308, `https://${HOST}/lighthouse?a=1`],
      ['//en/lighthouse/?a=1', 308, `https://${HOST}/lighthouse?a=1`],
      ['/de/lighthouse?a=1', 302, `https://${HOST}/lighthouse?a=1`],
    ] as const) {
      const response = await site.fetch(new Request(`http://${HOST}${path}`), () => {})
      expect(response.status, path).toBe(status)
      expect(response.headers.get('location'), path).toBe(location)
    }
    const post = new Request(`http://${HOST}/lighthouse`, { method: 'POST' })
    expect((await site.fetch(post, () => {})).status).toBe(403)
  })

  test('leads to the canonical path when the page cannot be read', async () => {
    const { createIsolate, api } = createSimulatedNetwork()
    api.mode = 'status-500'
    const response = await createIsolate().get('/en//uncached/?a=1')
    expect(response.status).toBe(301)
    expect(response.headers.get('location')).toBe('/en/uncached?a=1')
  })
})

test('a page whose key is too long for KV is served', async () => {
  const { createIsolate, api, kv } = createSimulatedNetwork()
  const isolate = createIsolate()
  const slug = 'ж'.repeat(100)
  api.publish({ slug, title: 'Long' })
  expect((await fetchPage(isolate, `/${encodeURIComponent(slug)}`)).text).toContain('Long')
  expect((await fetchPage(isolate, `/${encodeURIComponent(slug)}`)).cacheStatus).toContain(
    'detail=edge',
  )
  expect([...kv.written.keys()]).toEqual([SETTINGS_KEY])
})

describe('a search', () => {
  test('is cached for a minute per query, in the edge cache only', async () => {
    const { createIsolate, api, clock, kv } = createSimulatedNetwork()
    const isolate = createIsolate()
    expect((await fetchPage(isolate, '/search?q=Light')).text).toContain('light')
    api.calls.length = 0
    expect((await fetchPage(isolate, '/search?q=%20light%20')).cacheStatus).toContain('hit; ttl=60')
    expect(api.calls).toEqual([])
    expect([...kv.written.keys()]).toEqual([SETTINGS_KEY])
    await clock.advance(61 * SECOND)
    expect((await fetchPage(isolate, '/search?q=light')).cacheStatus).toContain('fwd=uri-miss')
  })

  test('is rejected above the rate limit', async () => {
    const isolate = createSimulatedNetwork().createIsolate('here', {
      ports: { allowsSearch: async () => false },
    })
    const response = await isolate.get('/search?q=light')
    expect(response.status).toBe(429)
    expect(response.headers.has('retry-after')).toBe(true)
  })
})
