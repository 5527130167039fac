import { describe, expect, test } from 'vitest'
import { PurgeResponse } from '../../../contract/purge.ts'
import { toDatabase } from '../database.ts'
import { fetchPage } from '../tests/fetch-page.ts'
import { createSimulatedNetwork, HOST, type Isolate, SECRET } from '../tests/simulated-network.ts'

const SECOND = 1000
const toBody = (changes: object = {}) =>
  JSON.stringify({ host: HOST, url: '/lighthouse', ...changes })
const textOf = async (isolate: Isolate, path = '/lighthouse') =>
  (await isolate.get(path)).text().finally(() => isolate.waitForBackgroundWork())

const parsePurge = async (response: Response): Promise<PurgeResponse> =>
  PurgeResponse.parse(await response.json())

describe('a purge is rejected, and deletes nothing,', () => {
  const json = { 'content-type': 'application/json' }
  const bearer = { authorization: `Bearer ${SECRET}` }
  const all = { ...json, ...bearer }

  test.each([
    ['without a bearer', 401, { headers: json, body: toBody() }],
    [
      'with a wrong bearer',
      401,
      { headers: { ...json, authorization: `Bearer ${SECRET}x` }, body: toBody() },
    ],
    [
      'with the secret in another scheme',
      401,
      { headers: { ...json, authorization: `Basic ${SECRET}` }, body: toBody() },
    ],
    ['as text', 415, { headers: { ...bearer, 'content-type': 'text/plain' }, body: toBody() }],
    ['with 65 KiB', 413, { headers: all, body: toBody({ url: `/${'a'.repeat(65 * 1024)}` }) }],
    ['as broken JSON', 400, { headers: all, body: '{' }],
    ['without a host', 400, { headers: all, body: JSON.stringify({ url: '/a' }) }],
    ['for another host', 400, { headers: all, body: toBody({ host: 'other.test' }) }],
    ['for an empty host', 400, { headers: all, body: toBody({ host: '' }) }],
    ['without a scope', 400, { headers: all, body: JSON.stringify({ host: HOST }) }],
    ['with two scopes', 400, { headers: all, body: toBody({ site: true }) }],
    ['with site: false', 400, { headers: all, body: JSON.stringify({ host: HOST, site: false }) }],
    ['with an unknown field', 400, { headers: all, body: toBody({ more: 1 }) }],
    [
      'for a URL of another host',
      400,
      { headers: all, body: toBody({ url: 'https://other.test/a' }) },
    ],
    ['for a URL without slashes', 400, { headers: all, body: toBody({ url: `https:${HOST}/a` }) }],
    ['for a URL with one slash', 400, { headers: all, body: toBody({ url: `https:/${HOST}/a` }) }],
    [
      'for a URL with backslashes',
      400,
      { headers: all, body: toBody({ url: `https:\\\\${HOST}\\a` }) },
    ],
    [
      'for a URL with a backslash after the host',
      400,
      { headers: all, body: toBody({ url: `https://${HOST}\\a` }) },
    ],
    ['for a hostile path', 400, { headers: all, body: toBody({ url: '/a/..%2fb' }) }],
    [
      'for 401 URLs',
      400,
      { headers: all, body: JSON.stringify({ host: HOST, urls: Array(401).fill('/a') }) },
    ],
    [
      'with a cursor',
      400,
      { headers: all, body: JSON.stringify({ host: HOST, site: true, cursor: 'x' }) },
    ],
    ['for a media path', 400, { headers: all, body: toBody({ url: '/cmp-media/x.jpg' }) }],
    ['for the media prefix', 400, { headers: all, body: toBody({ url: '//cmp-media' }) }],
  ])('%s: %i', async (_, status, init) => {
    const { createIsolate, kv, database } = createSimulatedNetwork()
    const response = await createIsolate().get('/__cms/purge', { method: 'POST', ...init })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toMatchObject({
      status,
      code: expect.stringMatching(/^[a-z_]+$/),
    })
    expect(kv.operations).toBe(0)
    expect(database.transactions).toEqual([])
  })

  test('and for a media path the response contains the command for media', async () => {
    const response = await createSimulatedNetwork()
      .createIsolate()
      .purge({ host: HOST, url: '/cmp-media/x.jpg' })
    expect(await response.text()).toContain('npm run purge -- media-')
  })

  test('with 405 when the method is GET', async () => {
    const response = await createSimulatedNetwork().createIsolate().get('/__cms/purge')
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  })

  test('with 503 when no secret is configured', async () => {
    const isolate = createSimulatedNetwork().createIsolate('here', {
      config: { adminSecret: undefined },
    })
    for (const authorization of [`Bearer ${SECRET}`, 'Bearer ']) {
      const response = await isolate.purge({ host: HOST, site: true }, { authorization })
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('60')
      expect(await response.json()).toMatchObject({ code: 'service_unavailable' })
    }
  })
})

describe('a purge of URLs', () => {
  test.each([
    ['by path', { url: '/lighthouse' }],
    ['by path with a query', { url: '/lighthouse?a=1#b' }],
    ['by another spelling of the path', { url: '//lighthouse/' }],
    ['by absolute URL', { url: `https://${HOST}/lighthouse` }],
    ['in a list of paths', { urls: ['/', '/lighthouse', '/lighthouse'] }],
    ['with the host in capitals and a port', { host: 'NEWS.test:443', url: '/lighthouse' }],
  ])('%s shows the new page to the next visitor', async (_, scope) => {
    const { createIsolate, api, clock } = createSimulatedNetwork()
    const isolate = createIsolate()
    await textOf(isolate)
    await clock.advance(2 * SECOND)
    api.publish({ title: 'New' })
    expect(await textOf(isolate)).toContain('The lighthouse')
    const response = await isolate.purge({ host: HOST, ...scope })
    expect(response.status).toBe(200)
    expect(await parsePurge(response)).toMatchObject({ host: HOST, scope: 'urls', complete: true })
    expect(await textOf(isolate)).toContain('New')
  })

  test('takes effect in all isolates and data centres within 5 s', async () => {
    const { createIsolate, api, clock } = createSimulatedNetwork()
    api.hasEmptyChangeLog = true
    const isolates = [
      createIsolate(),
      createIsolate(),
      createIsolate('other'),
      createIsolate('third', { clockSkewMs: 3600 * SECOND }),
    ]
    await Promise.all(isolates.map((isolate) => textOf(isolate)))
    api.publish({ title: 'New' })
    await isolates[0]?.purge({ host: HOST, url: '/lighthouse' })
    await clock.advance(5 * SECOND + 1)
    for (const isolate of isolates) expect(await textOf(isolate)).toContain('New')
  })

  test('is not undone by a rendering that began before it', async () => {
    const { createIsolate, api, clock, kv } = createSimulatedNetwork()
    const [slow, quick] = [createIsolate('slow'), createIsolate('quick')]
    await textOf(slow, '/')
    const release = Promise.withResolvers<void>()
    api.delay = () => release.promise
    const rendering = slow.site.fetch(new Request(`https://${HOST}/lighthouse`), () => {})
    await clock.advance(SECOND)
    api.delay = async () => {}
    await quick.purge({ host: HOST, url: '/lighthouse' })
    await clock.advance(2 * SECOND)
    release.resolve()
    expect((await clock.runUntil(rendering)).status).toBe(200)
    await clock.advance(SECOND)
    api.publish({ title: 'New' })
    kv.faults.propagationMs = 0
    expect(await textOf(quick)).toContain('New')
  })

  test('keeps later requests from joining a rendering that began before it', async () => {
    const { createIsolate, api, clock } = createSimulatedNetwork()
    const isolate = createIsolate()
    await textOf(isolate, '/')
    // The API's responses wait for these, before and after the purge.
    const [releaseOld, releaseNew] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let isPurged = false
    const fetchFromApi = api.fetch
    api.fetch = async (url, init) => {
      const response = await fetchFromApi(url, init)
      if (url.includes('/pages/')) await (isPurged ? releaseNew : releaseOld).promise
      return response
    }
    const responseBefore = isolate.site.fetch(new Request(`https://${HOST}/lighthouse`), () => {})
    await clock.advance(SECOND)
    api.publish({ title: 'New' })
    await isolate.purge({ host: HOST, url: '/lighthouse' })
    isPurged = true
    const responseAfter = isolate.site.fetch(new Request(`https://${HOST}/lighthouse`), () => {})
    await clock.advance(100)
    releaseOld.resolve()
    releaseNew.resolve()
    expect(await (await clock.runUntil(responseBefore)).text()).toContain('The lighthouse')
    expect(await (await clock.runUntil(responseAfter)).text()).toContain('New')
  })

  test('is not lost when several isolates purge concurrently', async () => {
    const { createIsolate, database } = createSimulatedNetwork()
    const isolates = [createIsolate(), createIsolate(), createIsolate('other')]
    const paths = Array.from({ length: 30 }, (_, index) => `/page-${index}`)
    const responses = paths.map((url, index) => isolates[index % 3]?.purge({ host: HOST, url }))
    for (const response of await Promise.all(responses)) expect(response?.status).toBe(200)
    const rows = database.rows('invalidations').filter(({ kind }) => kind === 'purge')
    expect(rows.map(({ path }) => path).toSorted()).toEqual(paths.toSorted())
  })

  test('is a 503 with Retry-After while D1 fails, and still deletes entries', async () => {
    const { createIsolate, kv, database, clock, logs } = createSimulatedNetwork()
    const isolate = createIsolate()
    await textOf(isolate)
    await clock.advance(2 * SECOND)
    database.faults.failing = true
    for (const scope of [{ url: '/lighthouse' }, { site: true }]) {
      const response = await isolate.purge({ host: HOST, ...scope })
      expect(response.status).toBe(503)
      expect(response.headers.has('retry-after')).toBe(true)
      expect(await response.json()).toMatchObject({ code: 'service_unavailable' })
      await clock.advance(2 * SECOND)
    }
    expect(kv.written.get(`${HOST}:/lighthouse`)?.at(-1)?.value).toBeNull()
    expect(kv.written.get(`site:${HOST}`)?.at(-1)?.value).toBeNull()
    expect(isolate.edge.copies.has(`https://${HOST}/lighthouse`)).toBe(false)
    expect(logs).toContainEqual(expect.objectContaining({ level: 'error', event: 'purge' }))
  })

  test('is a 503 without the binding INVALIDATIONS, which the log line names', async () => {
    const { createIsolate, logs } = createSimulatedNetwork()
    const isolate = createIsolate('here', { ports: { database: toDatabase(undefined) } })
    expect((await fetchPage(isolate)).status).toBe(200)
    expect((await isolate.purge({ host: HOST, url: '/lighthouse' })).status).toBe(503)
    expect(JSON.stringify(logs)).toContain('Binding INVALIDATIONS is missing')
  })

  test('takes effect when KV cannot delete the page, but is not complete', async () => {
    const { createIsolate, kv, api } = createSimulatedNetwork()
    const isolate = createIsolate()
    await textOf(isolate)
    api.publish({ title: 'New' })
    kv.faults.failing = (operation) => operation === 'delete'
    const result = await parsePurge(await isolate.purge({ host: HOST, url: '/lighthouse' }))
    expect(result).toMatchObject({ complete: false, deleted: 0 })
    expect(await textOf(isolate)).toContain('New')
  })

  test('is a 429 with Retry-After if the log would have more than 5,000 purged paths, until cron runs have deleted some', {
    timeout: 30_000,
  }, async () => {
    const { createIsolate, clock, database } = createSimulatedNetwork()
    const isolate = createIsolate()
    const toUrls = (part: number) => Array.from({ length: 400 }, (_, index) => `/${part}-${index}`)
    for (let part = 0; part < 12; part++)
      expect((await isolate.purge({ host: HOST, urls: toUrls(part) })).status).toBe(200)
    const rejected = await isolate.purge({ host: HOST, urls: toUrls(12) })
    expect(rejected.status).toBe(429)
    expect(rejected.headers.has('retry-after')).toBe(true)
    expect(await rejected.json()).toMatchObject({ code: 'rate_limited' })
    expect((await isolate.purge({ host: HOST, site: true })).status).toBe(200)
    for (let minute = 0; minute < 45; minute++) {
      await clock.advance(60 * SECOND)
      await isolate.runCron()
    }
    expect(database.rows('invalidations').filter(({ path }) => path !== '')).toEqual([])
    expect((await isolate.purge({ host: HOST, urls: toUrls(12) })).status).toBe(200)
  })
})
