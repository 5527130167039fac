import { describe, expect, test } from 'vitest'
import { PurgeResponse } from '../../../contract/purge.ts'
import { toDatabase } from '../database.ts'
import { fetchPage } from '../tests/fetch-page.ts'
import {
  createSimulatedNetwork,
  HOST,
  type Isolate,
  SECRET,
  type SimulatedNetwork,
  toPurgeRequest,
} from '../tests/simulated-network.ts'

const SECOND = 1000
const body = (but: object = {}) => JSON.stringify({ host: HOST, url: '/lighthouse', ...but })
const textOf = async (isolate: Isolate, path = '/lighthouse') =>
  (await isolate.get(path)).text().finally(() => isolate.drain())

const read = async (response: Response): Promise<PurgeResponse> =>
  PurgeResponse.parse(await response.json())

describe('is rejected, and nothing is deleted', () => {
  const json = { 'content-type': 'application/json' }
  const bearer = { authorization: `Bearer ${SECRET}` }
  const all = { ...json, ...bearer }

  test.each([
    ['without a bearer', 401, { headers: json, body: body() }],
    [
      'with a wrong bearer',
      401,
      { headers: { ...json, authorization: `Bearer ${SECRET}x` }, body: body() },
    ],
    [
      'as another scheme',
      401,
      { headers: { ...json, authorization: `Basic ${SECRET}` }, body: body() },
    ],
    ['as text', 415, { headers: { ...bearer, 'content-type': 'text/plain' }, body: body() }],
    ['with 65 KiB', 413, { headers: all, body: body({ url: `/${'a'.repeat(65 * 1024)}` }) }],
    ['as broken JSON', 400, { headers: all, body: '{' }],
    ['without a host', 400, { headers: all, body: JSON.stringify({ url: '/a' }) }],
    ['for another host', 400, { headers: all, body: body({ host: 'other.test' }) }],
    ['for an empty host', 400, { headers: all, body: body({ host: '' }) }],
    ['without a scope', 400, { headers: all, body: JSON.stringify({ host: HOST }) }],
    ['with two scopes', 400, { headers: all, body: body({ site: true }) }],
    ['with site: false', 400, { headers: all, body: JSON.stringify({ host: HOST, site: false }) }],
    ['with a field too many', 400, { headers: all, body: body({ more: 1 }) }],
    ['for a URL elsewhere', 400, { headers: all, body: body({ url: 'https://other.test/a' }) }],
    ['without slashes', 400, { headers: all, body: body({ url: `https:${HOST}/a` }) }],
    ['with one slash', 400, { headers: all, body: body({ url: `https:/${HOST}/a` }) }],
    ['with backslashes', 400, { headers: all, body: body({ url: `https:\\\\${HOST}\\a` }) }],
    ['with a backslash', 400, { headers: all, body: body({ url: `https://${HOST}\\a` }) }],
    ['for a hostile path', 400, { headers: all, body: body({ url: '/a/..%2fb' }) }],
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
    ['for a media path', 400, { headers: all, body: body({ url: '/cmp-media/x.jpg' }) }],
    ['for the media prefix', 400, { headers: all, body: body({ url: '//cmp-media' }) }],
  ])('%s: %i', async (_, status, init) => {
    const { open, kv, database } = createSimulatedNetwork()
    const response = await open().get('/__cms/purge', { method: 'POST', ...init })
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

  test('names the command for media', async () => {
    const response = await createSimulatedNetwork()
      .open()
      .purge({ host: HOST, url: '/cmp-media/x.jpg' })
    expect(await response.text()).toContain('npm run purge -- media-')
  })

  test('as GET: 405', async () => {
    const response = await createSimulatedNetwork().open().get('/__cms/purge')
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  })

  test('where no secret is configured: 503, never open', async () => {
    const isolate = createSimulatedNetwork().open('here', { config: { adminSecret: undefined } })
    for (const authorization of [`Bearer ${SECRET}`, 'Bearer ']) {
      const response = await isolate.purge({ host: HOST, site: true }, { authorization })
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('60')
      expect(await response.json()).toMatchObject({ code: 'service_unavailable' })
    }
  })
})

describe('of URLs', () => {
  test.each([
    ['its path', { url: '/lighthouse' }],
    ['its path with a query', { url: '/lighthouse?a=1#b' }],
    ['another spelling', { url: '//lighthouse/' }],
    ['its address', { url: `https://${HOST}/lighthouse` }],
    ['a list', { urls: ['/', '/lighthouse', '/lighthouse'] }],
    ['a host in capitals with a port', { host: 'NEWS.test:443', url: '/lighthouse' }],
  ])('%s: the next visitor sees the new page', async (_, order) => {
    const { open, api, clock } = createSimulatedNetwork()
    const isolate = open()
    await textOf(isolate)
    await clock.advance(2 * SECOND)
    api.publish({ title: 'New' })
    expect(await textOf(isolate)).toContain('The lighthouse')
    const response = await isolate.purge({ host: HOST, ...order })
    expect(response.status).toBe(200)
    expect(await read(response)).toMatchObject({ host: HOST, scope: 'urls', complete: true })
    expect(await textOf(isolate)).toContain('New')
  })

  test('is seen by every other isolate and data centre within 5 s', async () => {
    const { open, api, clock } = createSimulatedNetwork()
    api.hidesChanges = true
    const isolates = [open(), open(), open('far'), open('farther', { skew: 3600 * SECOND })]
    await Promise.all(isolates.map((isolate) => textOf(isolate)))
    api.publish({ title: 'New' })
    await isolates[0]?.purge({ host: HOST, url: '/lighthouse' })
    await clock.advance(5 * SECOND + 1)
    for (const isolate of isolates) expect(await textOf(isolate)).toContain('New')
  })

  test('is not undone by a write that began before it', async () => {
    const { open, api, clock, kv } = createSimulatedNetwork()
    const [slow, quick] = [open('slow'), open('quick')]
    await textOf(slow, '/')
    const release = Promise.withResolvers<void>()
    api.pause = () => release.promise
    const rendering = slow.site.fetch(new Request(`https://${HOST}/lighthouse`), () => {})
    await clock.advance(SECOND)
    api.pause = async () => {}
    await quick.purge({ host: HOST, url: '/lighthouse' })
    await clock.advance(2 * SECOND)
    release.resolve()
    expect((await clock.until(rendering)).status).toBe(200)
    await clock.advance(SECOND)
    api.publish({ title: 'New' })
    kv.faults.propagation = 0
    expect(await textOf(quick)).toContain('New')
  })

  test('is joined by no request to a rendering that began before it', async () => {
    const { open, api, clock } = createSimulatedNetwork()
    const isolate = open()
    await textOf(isolate, '/')
    const [old, fresh] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const read = api.fetch
    api.fetch = async (url, init) => {
      const response = await read(url, init)
      if (url.includes('/pages/')) await (api.articles.size > 1 ? fresh : old).promise
      return response
    }
    const before = isolate.site.fetch(new Request(`https://${HOST}/lighthouse`), () => {})
    await clock.advance(SECOND)
    api.publish({ title: 'New' })
    api.publish({ slug: 'other' })
    await isolate.purge({ host: HOST, url: '/lighthouse' })
    const after = isolate.site.fetch(new Request(`https://${HOST}/lighthouse`), () => {})
    await clock.advance(100)
    old.resolve()
    fresh.resolve()
    expect(await (await clock.until(before)).text()).toContain('The lighthouse')
    expect(await (await clock.until(after)).text()).toContain('New')
  })

  test('many at once from several isolates are all kept', async () => {
    const { open, database } = createSimulatedNetwork()
    const isolates = [open(), open(), open('far')]
    const paths = Array.from({ length: 30 }, (_, index) => `/page-${index}`)
    const answers = paths.map((url, index) => isolates[index % 3]?.purge({ host: HOST, url }))
    for (const answer of await Promise.all(answers)) expect(answer?.status).toBe(200)
    const rows = database.rows('invalidations').filter(({ kind }) => kind === 'purge')
    expect(rows.map(({ path }) => path).toSorted()).toEqual(paths.toSorted())
  })

  test('is a 503 with Retry-After while the log cannot be written, and deletes what it can', async () => {
    const { open, kv, database, clock, logs } = createSimulatedNetwork()
    const isolate = open()
    await textOf(isolate)
    await clock.advance(2 * SECOND)
    database.faults.failing = true
    for (const order of [{ url: '/lighthouse' }, { site: true }]) {
      const response = await isolate.purge({ host: HOST, ...order })
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

  test('without the binding INVALIDATIONS is the same, and is logged with the command that fixes it', async () => {
    const { open, logs } = createSimulatedNetwork()
    const isolate = open('here', { ports: { database: toDatabase(undefined) } })
    expect((await fetchPage(isolate)).status).toBe(200)
    expect((await isolate.purge({ host: HOST, url: '/lighthouse' })).status).toBe(503)
    expect(JSON.stringify(logs)).toContain('Binding INVALIDATIONS is missing')
  })

  test('that KV fails to delete is purged all the same, and not complete', async () => {
    const { open, kv, api } = createSimulatedNetwork()
    const isolate = open()
    await textOf(isolate)
    api.publish({ title: 'New' })
    kv.faults.failing = (operation) => operation === 'delete'
    const answer = await read(await isolate.purge({ host: HOST, url: '/lighthouse' }))
    expect(answer).toMatchObject({ complete: false, deleted: 0 })
    expect(await textOf(isolate)).toContain('New')
  })

  test('of more than 5,000 live ones is a 429 with Retry-After, until housekeeping is done', {
    timeout: 30_000,
  }, async () => {
    const { open, clock, database } = createSimulatedNetwork()
    const isolate = open()
    const toUrls = (part: number) => Array.from({ length: 400 }, (_, index) => `/${part}-${index}`)
    for (let part = 0; part < 12; part++)
      expect((await isolate.purge({ host: HOST, urls: toUrls(part) })).status).toBe(200)
    const refused = await isolate.purge({ host: HOST, urls: toUrls(12) })
    expect(refused.status).toBe(429)
    expect(refused.headers.has('retry-after')).toBe(true)
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' })
    expect((await isolate.purge({ host: HOST, site: true })).status).toBe(200)
    for (let minute = 0; minute < 45; minute++) {
      await clock.advance(60 * SECOND)
      await isolate.runCron()
    }
    expect(database.rows('invalidations').filter(({ path }) => path !== '')).toEqual([])
    expect((await isolate.purge({ host: HOST, urls: toUrls(12) })).status).toBe(200)
  })
})

describe('housekeeping', () => {
  const put = async ({ kv }: SimulatedNetwork, key: string, sequence: number) =>
    kv.in('late').put(key, 'late', { metadata: { sequence } })

  test('deletes late writes of purged pages but not newer ones, and then prunes the purge', async () => {
    const world = createSimulatedNetwork()
    const { open, clock, kv, database } = world
    const isolate = open()
    kv.faults.propagation = 0
    const sequence = clock.now()
    await isolate.purge({ host: HOST, urls: ['/late', '/newer', '/archive'] })
    await clock.advance(8 * 60 * SECOND)
    const [late, newer, part] = ['/late', '/newer', '/archive/2026/11'].map(
      (path) => `${HOST}:${path}`,
    ) as [string, string, string]
    await put(world, late, sequence - 1)
    await put(world, part, sequence - 1)
    await put(world, newer, sequence + 1000)
    for (let minute = 0; minute < 10; minute++) {
      await clock.advance(60 * SECOND)
      kv.operations = 0
      await isolate.runCron()
      expect(kv.operations).toBeLessThan(1000)
    }
    const isLeft = (key: string) => kv.written.get(key)?.at(-1)?.value !== null
    expect([isLeft(late), isLeft(part), isLeft(newer)]).toEqual([false, false, true])
    expect(database.rows('invalidations').filter(({ path }) => path !== '')).toEqual([])
  })

  test('keeps a purge for 15 minutes, and as long as KV fails', async () => {
    const { open, clock, kv, database } = createSimulatedNetwork()
    const isolate = open()
    await isolate.purge({ host: HOST, url: '/lighthouse' })
    const isLive = () => database.rows('invalidations').some(({ path }) => path === '/lighthouse')
    const run = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        await clock.advance(60 * SECOND)
        await isolate.runCron()
      }
    }
    kv.faults.failing = true
    await run(30)
    expect(isLive()).toBe(true)
    kv.faults.failing = false
    await run(4)
    expect(isLive()).toBe(true)
    await run(4)
    expect(isLive()).toBe(false)
  })

  test('prunes no change while following fails', async () => {
    const { open, clock, api, database } = createSimulatedNetwork()
    const isolate = open()
    await clock.advance(6 * SECOND)
    api.publish({ title: 'Changed' })
    await isolate.runCron()
    api.mode = 'failing'
    for (let minute = 0; minute < 30; minute++) {
      await clock.advance(60 * SECOND)
      await isolate.runCron()
    }
    expect(database.rows('invalidations').some(({ path }) => path === '/lighthouse')).toBe(true)
  })
})

describe('of a site', () => {
  const PAGES = 20_000
  function seed({ kv }: SimulatedNetwork, count: number) {
    const now = Date.UTC(2026, 10, 21, 7)
    const metadata = {
      entryType: 'page',
      status: 200,
      contentType: 'text/html',
      etag: 'W/"old"',
      lastModified: now,
      renderedAt: now,
      freshUntil: now + 48 * 3600 * SECOND,
      staleUntil: now + 72 * 3600 * SECOND,
      sequence: Date.UTC(2026, 10, 22),
      build: '0123456789ab',
    }
    const value = '{"headers":{},"dependencies":null}\nold'
    for (let index = 0; index < count; index++) kv.seed(`${HOST}:/seeded-${index}`, value, metadata)
    kv.seed(`x${HOST}:/seeded`, value, metadata)
  }
  const isStored = ({ kv }: SimulatedNetwork, key: string) =>
    kv.written.get(key)?.at(-1)?.value !== null
  const toLeft = ({ kv }: SimulatedNetwork) =>
    [...kv.written].filter(([key, all]) => key.startsWith(`${HOST}:`) && all.at(-1)?.value)

  test(`of ${PAGES} pages purges all in at most 10 operations, then deletes by itself`, {
    timeout: 120_000,
  }, async () => {
    const world = createSimulatedNetwork()
    const { open, kv, clock, database } = world
    seed(world, PAGES)
    const isolate = open()
    expect(await textOf(isolate, '/seeded-7')).toBe('old')
    await clock.advance(24 * 3600 * SECOND)

    kv.operations = 0
    database.clearTransactions()
    const edgeBefore = isolate.edge.operations
    let purgedAfter = Number.POSITIVE_INFINITY
    kv.faults.failing = (operation) => {
      const operations =
        kv.operations - 1 + database.transactions.length + isolate.edge.operations - edgeBefore
      if (operation === 'list') purgedAfter = Math.min(purgedAfter, operations)
      return false
    }
    const response = await isolate.purge({ host: HOST, site: true })
    expect(purgedAfter).toBeLessThanOrEqual(10)
    expect(kv.operations).toBeLessThanOrEqual(910)
    const answer = await read(response)
    expect(answer).toEqual({
      host: HOST,
      scope: 'site',
      deleted: expect.any(Number),
      complete: false,
      converges_within_seconds: 5,
    })
    expect(answer.deleted).toBeGreaterThan(800)
    expect((await isolate.get('/seeded-19999')).status).toBe(404)

    // A page that is rendered while the old ones are deleted stays.
    await clock.advance(2 * SECOND)
    await textOf(isolate)
    for (let minute = 0; minute < 30; minute++) {
      await clock.advance(60 * SECOND)
      kv.operations = 0
      await isolate.runCron()
      expect(kv.operations).toBeLessThanOrEqual(950)
    }
    expect(
      toLeft(world)
        .map(([key]) => key)
        .filter((key) => key.includes('seeded')),
    ).toEqual([])
    expect(isStored(world, `${HOST}:/lighthouse`)).toBe(true)
    expect(isStored(world, `x${HOST}:/seeded`)).toBe(true)
  })

  test('renders pages and settings anew, stylesheet included', async () => {
    const { open, api, clock } = createSimulatedNetwork()
    const isolate = open()
    await textOf(isolate)
    await clock.advance(2 * SECOND)
    api.touchSettings({ css_version: '2.0.0' })
    expect((await isolate.purge({ host: HOST, site: true })).status).toBe(200)
    expect(await textOf(isolate)).toContain('/css/harbour/2.0.0.css')
  })

  test('never shows a page with settings from before it, where KV shows them for a minute', async () => {
    const { open, api, clock } = createSimulatedNetwork()
    const [here, far] = [open(), open('far')]
    await textOf(here)
    await textOf(far, '/')
    api.touchSettings({ css_version: '2.0.0' })
    await clock.advance(2 * SECOND)
    await here.purge({ host: HOST, site: true })
    await clock.advance(5 * SECOND)
    expect(await textOf(far)).toContain('2.0.0.css')
  })

  test.each<[string, Partial<SimulatedNetwork['kv']['faults']>]>([
    ['list', { failing: (operation) => operation === 'list' }],
    ['delete', { failing: (operation, key) => operation === 'delete' && key.endsWith('-7') }],
  ])(
    'whose %s fails is purged, answers complete: false, and is finished later',
    async (_, fault) => {
      const world = createSimulatedNetwork()
      const { open, kv, clock, logs } = world
      seed(world, 20)
      const isolate = open()
      await clock.advance(24 * 3600 * SECOND)
      Object.assign(kv.faults, fault)
      expect(await read(await isolate.purge({ host: HOST, site: true }))).toMatchObject({
        complete: false,
      })
      expect((await isolate.get('/seeded-7')).status).toBe(404)
      expect(logs).toContainEqual(
        expect.objectContaining({ level: 'warn', event: 'delete-purged-entries' }),
      )
      kv.faults.failing = false
      await clock.advance(60 * SECOND)
      await isolate.runCron()
      expect(
        toLeft(world)
          .map(([key]) => key)
          .filter((key) => key.includes('seeded')),
      ).toEqual([])
    },
  )

  test('continues where an isolate stopped amid its deletes', async () => {
    const world = createSimulatedNetwork()
    const { open, kv, clock } = world
    seed(world, 3000)
    const namespace = kv.in('here')
    let deletes = 0
    const dying = open('here', {
      ports: {
        kv: {
          ...namespace,
          delete: (key) => (deletes++ < 300 ? namespace.delete(key) : new Promise(() => {})),
        },
      },
    })
    await clock.advance(24 * 3600 * SECOND)
    void dying.site.fetch(toPurgeRequest({ host: HOST, site: true }), () => {})
    await clock.advance(SECOND)
    const isolate = open()
    for (let minute = 0; minute < 6; minute++) {
      await clock.advance(60 * SECOND)
      await isolate.runCron()
    }
    expect(
      toLeft(world)
        .map(([key]) => key)
        .filter((key) => key.includes('seeded')),
    ).toEqual([])
  })
})
