import { describe, expect, test } from 'vitest'
import { PurgeResponse } from '../../../contract/purge.ts'
import { createWorld, HOST, type Isolate, SECRET, type World } from '../tests/world.ts'

const SECOND = 1000
const body = (but: object = {}) => JSON.stringify({ host: HOST, url: '/lighthouse', ...but })
const textOf = async (isolate: Isolate, path = '/lighthouse') =>
  (await isolate.get(path)).text().finally(() => isolate.rest())

type Cut = Extract<PurgeResponse, { complete: false }>
const read = async (response: Response): Promise<PurgeResponse> =>
  PurgeResponse.parse(await response.json())

describe('is refused, and nothing is deleted', () => {
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
      'with a foreign cursor',
      400,
      { headers: all, body: JSON.stringify({ host: HOST, site: true, cursor: 'x' }) },
    ],
  ])('%s: %i', async (_, status, init) => {
    const { open, kv } = createWorld()
    const response = await open().get('/__cms/purge', { method: 'POST', ...init })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(kv.operations).toBe(0)
  })

  test('as GET: 405', async () => {
    const response = await createWorld().open().get('/__cms/purge')
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  })

  test('where no secret is configured: 503, never open', async () => {
    const isolate = createWorld().open('here', { config: { adminSecret: undefined } })
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
  ])('%s: the next reader sees the new page', async (_, order) => {
    const { open, api, kv } = createWorld()
    const isolate = open()
    await textOf(isolate)
    api.publish({ title: 'New' })
    expect(await textOf(isolate)).toContain('The lighthouse')
    kv.faults.propagation = 0
    const response = await isolate.purge({ host: HOST, ...order })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ host: HOST, scope: 'urls', complete: true })
    expect(await textOf(isolate)).toContain('New')
  })

  test('is seen by other isolates here within 5 s, elsewhere once KV shows it', async () => {
    const { open, api, clock } = createWorld()
    const [here, beside, far] = [open(), open(), open('far')]
    await Promise.all([here, beside, far].map((isolate) => textOf(isolate)))
    api.publish({ title: 'New' })
    await clock.advance(2 * SECOND)
    await here.purge({ host: HOST, url: '/lighthouse' })
    expect(await textOf(here)).toContain('New')
    await clock.advance(5 * SECOND)
    expect(await textOf(beside)).toContain('New')
    expect(await textOf(far)).toContain('The lighthouse')
    await clock.advance(90 * SECOND)
    expect(await textOf(far)).toContain('New')
  })

  test('outlives a write that was begun before it', async () => {
    const { open, api, clock, kv } = createWorld()
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
    expect(kv.written.get(`${HOST}:/lighthouse`)?.at(-1)?.value).toContain('The lighthouse')
    kv.faults.propagation = 0
    expect(await textOf(quick)).toContain('New')
  })

  test('many at once in one isolate are one write a second, and all are kept', async () => {
    const { open, kv, clock } = createWorld()
    const isolate = open()
    const paths = Array.from({ length: 20 }, (_, index) => `/page-${index}`)
    const answers = paths.map((url) => isolate.purge({ host: HOST, url }))
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200)
    const record = JSON.parse(kv.written.get(`purge:${HOST}`)?.at(-1)?.value ?? '')
    expect(Object.keys(record.paths)).toHaveLength(20)
    expect(kv.written.get(`purge:${HOST}`)?.length).toBeLessThanOrEqual(3)
    expect(clock.now() - Date.UTC(2026, 10, 21, 8)).toBeLessThan(5 * SECOND)
  })

  test.each([
    [
      'the record cannot be written',
      (operation: string, key: string) => operation === 'put' && key.startsWith('purge:'),
    ],
    ['a page cannot be deleted', (operation: string) => operation === 'delete'],
  ])('is a 503 with Retry-After when %s', async (_, failing) => {
    const { open, kv } = createWorld()
    const isolate = open()
    await textOf(isolate)
    kv.faults.failing = failing
    const response = await isolate.purge({ host: HOST, url: '/lighthouse' })
    expect(response.status).toBe(503)
    expect(response.headers.has('retry-after')).toBe(true)
  })

  test('of more than the record holds voids more, never less', async () => {
    const { open, clock, api } = createWorld()
    const isolate = open()
    await textOf(isolate)
    api.publish({ title: 'New' })
    for (let part = 0; part < 4; part++) {
      await clock.advance(2 * SECOND)
      const urls = Array.from({ length: 300 }, (_, index) => `/part-${part}-${index}`)
      expect(
        (await isolate.purge({ host: HOST, urls: part ? urls : ['/lighthouse', ...urls] })).status,
      ).toBe(200)
    }
    expect(await textOf(isolate)).toContain('New')
  })
})

describe('of a site', () => {
  const PAGES = 100_000

  function seed({ kv, clock }: World, count: number): void {
    const at = clock.now() - 60 * SECOND
    const meta = { entryType: 'article', status: 200, contentType: 'text/html', etag: 'W/"x"' }
    const times = { modified: at, at, settingsAt: at, soft: at + 3600 * SECOND, hard: at + 9e7 }
    for (let index = 0; index < count; index++) {
      const metadata = { ...meta, ...times, build: '0123456789ab', headers: {} }
      kv.seed(`${HOST}:/seeded-${index}`, 'null\nold', metadata)
    }
    kv.seed(`x${HOST}:/seeded`, 'null\nold', null)
  }

  /** Asks an isolate that dies amid its deletes, so that nobody hears of it; the number of those it made. */
  async function killIn({ open, kv, clock }: World, order: object): Promise<number> {
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
    void dying.purge(order)
    await clock.advance(SECOND)
    return 300
  }

  test('of 100,000 pages voids all in 10 KV operations, then deletes over cursors', {
    timeout: 120_000,
  }, async () => {
    const world = createWorld()
    const { open, kv, clock } = world
    seed(world, PAGES)
    const isolate = open()
    expect(await textOf(isolate, '/seeded-7')).toBe('old')

    kv.operations = 0
    let voidAfter = Number.POSITIVE_INFINITY
    kv.faults.failing = (operation) => {
      if (operation === 'list') voidAfter = Math.min(voidAfter, kv.operations - 1)
      return false
    }
    let answer = await read(await isolate.purge({ host: HOST, site: true }))
    expect(voidAfter).toBeLessThanOrEqual(10)
    expect(kv.operations).toBeLessThanOrEqual(910)
    expect(answer).toMatchObject({ scope: 'site', complete: false, converges_within_seconds: 300 })
    expect((await isolate.get('/seeded-99999')).status).toBe(404)

    // A page that is made while the old ones are deleted is one that stays.
    await clock.advance(2 * SECOND)
    await textOf(isolate)
    let deleted = answer.deleted
    let calls = 1
    for (; !answer.complete; calls++) {
      const order = { host: HOST, site: true, cursor: answer.cursor }
      if (calls === 50) deleted += await killIn(world, order)
      kv.operations = 0
      const response = await isolate.purge(order)
      expect(kv.operations).toBeLessThanOrEqual(910)
      answer = await read(response)
      expect(response.status).toBe(answer.complete ? 200 : 202)
      deleted += answer.deleted
    }
    expect(deleted).toBe(PAGES)
    const left = [...kv.written].filter(
      ([key, all]) => key.startsWith(`${HOST}:`) && all.at(-1)?.value,
    )
    expect(left.map(([key]) => key)).toEqual([`${HOST}:/lighthouse`])
    expect(kv.written.get(`x${HOST}:/seeded`)?.at(-1)?.value).not.toBeNull()
  })

  test('makes pages and settings anew, stylesheet included', async () => {
    const { open, api, clock } = createWorld()
    const isolate = open()
    await textOf(isolate)
    await clock.advance(2 * SECOND)
    api.touchSettings({ css_version: '2.0.0' })
    expect((await isolate.purge({ host: HOST, site: true })).status).toBe(200)
    expect(await textOf(isolate)).toContain('/css/harbour/2.0.0.css')
  })

  test('never shows a page with settings from before it, even where the record comes late', async () => {
    const { open, api, clock } = createWorld()
    const [here, far] = [open(), open('far')]
    await textOf(here)
    await textOf(far, '/')
    api.touchSettings({ css_version: '2.0.0' })
    await clock.advance(2 * SECOND)
    await here.purge({ host: HOST, site: true })
    await clock.advance(2 * SECOND)
    expect(await textOf(far)).toContain('1.0.0.css')
    await clock.advance(95 * SECOND)
    expect(await textOf(far)).toContain('2.0.0.css')
  })

  test.each([0, 1])(
    'whose list fails after %i parts keeps its place and says so',
    async (parts) => {
      const world = createWorld()
      const { open, kv, api, logs } = world
      seed(world, 1000)
      const isolate = open()
      await textOf(isolate)
      api.publish({ title: 'New' })
      let lists = 0
      kv.faults.failing = (operation) => operation === 'list' && lists++ === parts
      const first = await isolate.purge({ host: HOST, site: true })
      expect(first.status).toBe(202)
      let answer = await read(first)
      expect(await textOf(isolate)).toContain('New')
      while (!answer.complete)
        answer = await read(await isolate.purge({ host: HOST, site: true, cursor: answer.cursor }))
      const left = [...kv.written].filter(([, all]) => all.at(-1)?.value?.endsWith('old'))
      expect(left.map(([key]) => key)).toEqual([`x${HOST}:/seeded`])
      expect(logs).toContainEqual(expect.objectContaining({ level: 'warn', action: 'kv list' }))
    },
  )

  test('whose deletes fail keeps its place and says so', async () => {
    const world = createWorld()
    const { open, kv } = world
    seed(world, 20)
    const isolate = open()
    kv.faults.failing = (operation, key) => operation === 'delete' && key.endsWith('-7')
    const cut = await isolate.purge({ host: HOST, site: true })
    const answer = await read(cut)
    expect(cut.status).toBe(202)
    expect(answer.deleted).toBe(19)
    kv.faults.failing = false
    const { cursor } = answer as Cut
    const rest = await isolate.purge({ host: HOST, site: true, cursor })
    expect(await rest.json()).toMatchObject({ complete: true, deleted: 1 })
  })
})
