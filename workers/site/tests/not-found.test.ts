import { describe, expect, test } from 'vitest'
import { toSettingsKey } from '../keys.ts'
import { templateBut } from './content.ts'
import { fetchPage } from './fetch-page.ts'
import { createSimulatedNetwork, HOST, type SimulatedNetwork } from './simulated-network.ts'

const COUNT = 1000

/** Counts renderings of the not-found page by their warnings: its template is broken, so each one warns. */
function createCountingNetwork(): SimulatedNetwork & { renderings: () => number } {
  const network = createSimulatedNetwork()
  const { templates } = network.api.settings.site_settings
  const broken = templateBut({
    key: 'not_found',
    source: '{{ x | nofilter }}',
    fallbacks: [{ origin: 'element', source: '<h1>Not found</h1>{{ language.code }}' }],
  })
  network.api.updateSettings({
    templates: [...templates.filter(({ key }) => key !== 'not_found'), broken],
  })
  const renderings = () => network.logs.filter(({ event }) => event === 'rendering').length
  return { ...network, renderings }
}

describe('a thousand requests for missing pages', () => {
  test.each([
    ['unknown slugs', (index: number) => `/no-such-article-${index}`, COUNT],
    ['unknown authors', (index: number) => `/author/nobody-${index}`, COUNT],
    ['unknown categories', (index: number) => `/category/nothing-${index}`, 0],
    ['paths without a route', (index: number) => `/no/such/path-${index}`, 0],
    ['scans', (index: number) => `/wp-content/${index}/x.php`, 0],
    ['paths with encoded slashes', (index: number) => `/a%2f..%2f${index}`, 0],
    ['media paths', (index: number) => `/%63mp-media/${index}.jpg`, 0],
  ])(
    'render the not-found page at most once: %s',
    async (name, toPath, expectedCalls) => {
      const { createIsolate, api, renderings } = createCountingNetwork()
      const isolate = createIsolate()
      await fetchPage(isolate)
      api.calls.length = 0
      for (let index = 0; index < COUNT; index++) {
        const response = await isolate.get(toPath(index))
        if (response.status !== 404) throw new Error(`${toPath(index)}: ${response.status}`)
        await response.text()
      }
      expect(api.calls.length, 'API calls').toBe(expectedCalls)
      const isPage = !['paths with encoded slashes', 'media paths'].includes(name)
      expect(renderings(), 'renderings of the body').toBe(isPage ? 1 : 0)
    },
    60_000,
  )
})

describe('the not-found page', () => {
  test('is rendered once for each language, and each 404 is in its language', async () => {
    const { createIsolate, renderings } = createCountingNetwork()
    const isolate = createIsolate()
    for (const [path, language] of [
      ['/nothing', 'en'],
      ['/de/nichts', 'de'],
      ['/no/such/path', 'en'],
      ['/de/kein/solcher/pfad', 'de'],
    ] as const) {
      const response = await isolate.get(path)
      expect(response.status, path).toBe(404)
      expect(response.headers.get('content-language'), path).toBe(language)
      expect(await response.text(), path).toContain(`<h1>Not found</h1>${language}`)
    }
    expect(renderings()).toBe(2)
  })

  test('is shared by the isolates of a data centre', async () => {
    const { createIsolate, renderings } = createCountingNetwork()
    await fetchPage(createIsolate(), '/one')
    await fetchPage(createIsolate(), '/two')
    expect(renderings()).toBe(1)
  })

  test('is rendered again after a purge of the host', async () => {
    const { createIsolate, renderings, clock } = createCountingNetwork()
    const isolate = createIsolate()
    await fetchPage(isolate, '/one')
    await isolate.purge({ host: HOST, site: true })
    await clock.advance(1000)
    await fetchPage(isolate, '/one')
    expect(renderings()).toBe(2)
  })

  test('has a cache key that no request can reach', async () => {
    const { createIsolate } = createCountingNetwork()
    const isolate = createIsolate()
    await fetchPage(isolate, '/one')
    const response = await isolate.get('/__cms/not-found/en/404')
    expect(await response.text()).toBe('Not found.\n')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test.each<[string, (network: SimulatedNetwork) => unknown, string]>([
    ['without templates', ({ api }) => api.updateSettings({ templates: [] }), 'Page not found'],
    [
      'when its lists cannot be read',
      ({ api }) => {
        api.isFailing = (path) => path.includes('/lists')
        const source = "{% list latest kind: 'recent' %}{{ latest.size }}"
        api.updateSettings({ templates: [templateBut({ key: 'not_found', source })] })
      },
      'There is nothing at this address.',
    ],
  ])('is a plain page %s', async (_, fail, text) => {
    const network = createSimulatedNetwork()
    fail(network)
    const response = await network.createIsolate().get('/no/such/path')
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(await response.text()).toContain(text)
  })
})

test('a permanently deleted article is a 410, cached for as short a time as a 404', async () => {
  const { createIsolate, api, kv } = createSimulatedNetwork()
  api.movedPages.push({ slug: 'gone', redirect: { to: null, status: 410 } })
  const isolate = createIsolate()
  for (const cacheStatus of [/fwd=uri-miss; ttl=30/, /hit; ttl=30; detail=edge/])
    expect(await fetchPage(isolate, '/gone')).toMatchObject({
      status: 410,
      cacheStatus: expect.stringMatching(cacheStatus),
      text: expect.stringContaining('Not found'),
    })
  expect([...kv.written.keys()]).toEqual([toSettingsKey(HOST)])
})
