import { get } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMPATIBILITY_DATE } from '../../../contract/constants.ts'
import { HOST, SECRET } from './simulated-network.ts'
import { bundle, type RunningSite, startWorkerd } from './workerd.ts'

/** A worker that reports whether the edge cache, which all workers share, has an entry. */
const PROBE = `export default { async fetch(request) {
  const found = await caches.default.match(await request.text())
  return new Response(found ? 'found' : 'nothing')
} }`

let running: RunningSite
beforeAll(async () => {
  running = await startWorkerd({}, [
    { name: 'probe', modules: true, script: PROBE, routes: ['probe.test/*'] },
    {
      name: 'media',
      modules: true,
      script: await bundle('../../media/index.ts'),
      compatibilityDate: COMPATIBILITY_DATE,
      routes: [`${HOST}/cmp-media/*`],
      bindings: {
        STORE_BUCKET: 'bucket',
        STORE_REGION: 'eu-central-1',
        STORE_ENDPOINT: 'http://127.0.0.1:1',
        MEDIA_CACHE_TTL: '604800',
        STORE_ACCESS_KEY_ID: 'id',
        STORE_SECRET_ACCESS_KEY: SECRET,
        WORKER_NAME: 'media',
        WORKER_VERSION: '0123456789ab',
      },
    },
  ])
})
afterAll(() => running.stop())

const purge = (body: object) =>
  running.get('/__cms/purge', {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify({ host: HOST, ...body }),
  })

test.each([
  ['/', 200, '<h1>Home</h1>'],
  ['/lighthouse', 200, '<h1>The lighthouse</h1>'],
  ['/category/port', 200, '<h1>Category</h1>'],
  ['/search?q=light', 200, '<h1>Search</h1>'],
  ['/robots.txt', 200, 'User-agent'],
  ['/sitemap.xml', 200, '<sitemapindex'],
  ['/feed.xml', 200, '<rss'],
  ['/nothing-here', 404, '<h1>Not found</h1>'],
  ['/__cms/health', 200, '"status":"ok"'],
  ['/__cms/settings', 404, 'Not found'],
])('%s returns %i', async (path, status, text) => {
  const response = await running.get(path)
  expect(response.status).toBe(status)
  expect(await response.text()).toContain(text)
})

test('a page is served from the edge cache, with 304, HEAD and ignored ranges', async () => {
  await running.get('/lighthouse')
  const hit = await running.get('/lighthouse')
  expect(hit.headers.get('cache-status')).toMatch(/^cms-edge; hit; .*detail=edge/)
  const etag = hit.headers.get('etag') ?? ''
  expect(etag).toMatch(/^W\//)
  for (const method of ['GET', 'HEAD']) {
    const same = await running.get('/lighthouse', { method, headers: { 'if-none-match': etag } })
    expect(same.status).toBe(304)
  }
  const head = await running.get('/lighthouse', { method: 'HEAD' })
  expect(head.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const ranged = await running.get('/lighthouse', { headers: { range: 'bytes=0-1' } })
  expect(ranged.status).toBe(200)
})

test('the next request sees the effect of a purge, of a page and of the site', async () => {
  running.api.publish({ title: 'The new lighthouse' })
  expect(await (await running.get('/lighthouse')).text()).toContain('The lighthouse')
  expect(await (await purge({ url: '/lighthouse' })).json()).toMatchObject({ complete: true })
  expect(await (await running.get('/lighthouse')).text()).toContain('The new lighthouse')
  running.api.updateSettings({ css_version: '3.0.0' })
  expect(await (await purge({ site: true })).json()).toMatchObject({ complete: true })
  expect(await (await running.get('/lighthouse')).text()).toContain('3.0.0.css')
})

test('a change is seen without a purge after a median of at most 6 s, at one request a second', async () => {
  const seconds: number[] = []
  for (let change = 1; change <= 5; change++) {
    running.api.publish({ title: `Change ${change}` })
    const started = Date.now()
    const isSeen = async () =>
      (await (await running.get('/lighthouse')).text()).includes(`Change ${change}`)
    while (!(await isSeen())) await setTimeout(1000)
    seconds.push((Date.now() - started) / 1000)
    // The changes are published at different times of the five seconds between two runs.
    await setTimeout(change * 700)
  }
  const sorted = seconds.toSorted((one, other) => one - other)
  expect(sorted[2]).toBeLessThanOrEqual(6)
  expect(sorted.at(-1)).toBeLessThanOrEqual(15)
}, 100_000)

test('the cron trigger reads the change log and records the affected paths', async () => {
  const worker = await running.miniflare.getWorker('site')
  await setTimeout(5100)
  running.api.publish({ slug: 'by-cron', title: 'Changed by an editor' })
  const { outcome } = await worker.scheduled({ cron: '* * * * *' })
  expect(outcome).toBe('ok')
  const database = await running.miniflare.getD1Database('INVALIDATIONS', 'site')
  const { results } = await database.prepare('SELECT path FROM invalidations').run()
  expect(results).toContainEqual({ path: '/by-cron' })
}, 30_000)

test.each(['/%63mp-media/x.jpg', '//cmp-media/x.jpg', '/cmp-media//x.jpg', '/cmp-media/x.jpg'])(
  '%s leaves nothing in the cache that both workers share',
  async (path) => {
    expect((await running.get(path)).status).not.toBe(200)
    for (const key of ['/cmp-media/x.jpg', path]) {
      const probed = await running.miniflare.dispatchFetch('https://probe.test/', {
        method: 'POST',
        body: `https://${HOST}${key}`,
      })
      expect(await probed.text()).toBe('nothing')
    }
  },
)

test('the probe finds cached pages of the site', async () => {
  await running.get('/lighthouse')
  const probed = await running.miniflare.dispatchFetch('https://probe.test/', {
    method: 'POST',
    body: `https://${HOST}/lighthouse`,
  })
  expect(await probed.text()).toBe('found')
})

describe('concurrent requests for an uncached page', () => {
  test('cause one rendering and one API call per resource, for 1,000 requests', async () => {
    running.api.publish({ slug: 'uncached', title: 'Uncached' })
    running.api.calls.length = 0
    const responses = await Promise.all(
      Array.from({ length: 1000 }, () => running.get('/uncached')),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1000)
    expect(running.api.calls.filter((path) => path.includes('/pages/uncached'))).toHaveLength(1)
    const settings = running.api.calls.filter((path) => path.endsWith('/settings'))
    expect(settings.length).toBeLessThanOrEqual(1)
  })

  test('do not wait forever for a visitor who disconnected', async () => {
    running.api.publish({ slug: 'slow', title: 'Slow' })
    const release = Promise.withResolvers<void>()
    running.api.delay = () => release.promise
    const url = new URL('/slow', await running.miniflare.ready)
    const disconnecting = get(url, { headers: { host: HOST } }).on('error', () => {})
    await expect.poll(() => running.api.calls.at(-1)).toContain('/pages/slow')
    const waiting = Array.from({ length: 50 }, () => running.get('/slow'))
    disconnecting.destroy()
    running.api.delay = async () => {}
    void setTimeout(500).then(release.resolve)
    const started = Date.now()
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
    expect(Date.now() - started).toBeLessThan(20_000)
  }, 60_000)
})

test('while the API is down cached pages are served, and others are 503', async () => {
  await running.get('/lighthouse')
  running.api.mode = 'connection-refused'
  expect((await running.get('/lighthouse')).status).toBe(200)
  const uncached = await running.get('/category/port/after/unknown')
  expect(uncached.status).toBe(503)
  expect(uncached.headers.get('retry-after')).toBe('10')
  running.api.mode = 'ok'
})
