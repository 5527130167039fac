import { describe, expect, test } from 'vitest'
import { settingsBut, templateBut } from '../tests/content.ts'
import { createWorld, HOST, type Isolate, type World } from '../tests/world.ts'
import { toTouchedPaths } from './affected-paths.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

async function look(isolate: Isolate, path = '/lighthouse'): Promise<string> {
  const text = await (await isolate.get(path)).text()
  await isolate.rest()
  return text
}

/** A place whose cron has run, with its first pages known. */
async function begin() {
  const world = createWorld()
  const isolate = world.open()
  await isolate.tick()
  await world.clock.advance(2 * SECOND)
  return { ...world, isolate }
}

describe('the cron', () => {
  test('voids what an editor changed, without a purge', async () => {
    const { isolate, api, clock } = await begin()
    await Promise.all(['/', '/lighthouse', '/category/port'].map((path) => look(isolate, path)))
    api.publish({ title: 'Changed' })
    expect(await look(isolate)).toContain('The lighthouse')
    await clock.advance(20 * SECOND)
    await isolate.tick()
    for (const path of ['/', '/lighthouse', '/category/port'])
      expect(await look(isolate, path)).toContain('Changed')
  })

  test('shows a page that was not there before', async () => {
    const { isolate, api } = await begin()
    expect((await isolate.get('/new')).status).toBe(404)
    await isolate.rest()
    api.publish({ slug: 'new', title: 'Brand new' })
    await isolate.tick()
    expect(await look(isolate, '/new')).toContain('Brand new')
  })

  test('voids the host when settings changed', async () => {
    const { isolate, api } = await begin()
    await look(isolate)
    api.touchSettings({ css_version: '2.0.0' })
    await isolate.tick()
    expect(await look(isolate)).toContain('2.0.0.css')
  })

  test('keeps the host void where a purge elsewhere has overwritten that', async () => {
    const { isolate, api, clock, open } = await begin()
    const [far, third] = [open('far'), open('third')]
    for (const place of [far, third]) await look(place, '/robots.txt')
    await clock.advance(2 * MINUTE)
    for (const place of [far, third]) await look(place, '/lighthouse')
    api.touchSettings({ robots_txt: 'User-agent: another' })
    await isolate.tick()
    await clock.advance(10 * SECOND)
    expect((await far.purge({ host: HOST, url: '/lighthouse' })).status).toBe(200)
    for (let minute = 0; minute < 5; minute++) {
      await clock.advance(MINUTE)
      await open(`cron-${minute}`).tick()
    }
    expect(await look(third, '/robots.txt')).toContain('another')
  })

  test.each([
    '/sitemap/first.xml',
    '/archive/2026/11',
    '/archive/2026/11/after/c2',
    '/category/port/after/c2',
  ])('voids %s with the list whose part it is', async (path) => {
    const { isolate, api, clock } = await begin()
    expect(await look(isolate, path)).not.toContain('brand-new')
    api.publish({ slug: 'brand-new', title: 'brand-new', path: '/brand-new' })
    await isolate.tick()
    await clock.advance(2 * SECOND)
    expect(await look(isolate, path)).toContain('brand-new')
  })

  test('walks the changed sitemap itself, so that no reader waits for it', async () => {
    const { isolate, api, kv, open } = await begin()
    await look(isolate, '/sitemap.xml')
    api.publish({ title: 'Changed', updated_at: '2026-11-21T07:00:00.000Z' })
    await isolate.tick()
    await isolate.rest()
    api.calls.length = 0
    kv.faults.propagation = 0
    for (const reader of [isolate, open('far')])
      expect(await look(reader, '/sitemap.xml')).toContain('<lastmod>2026-11-21T07:00')
    expect(api.calls.filter((path) => path.includes('/sitemap'))).toEqual([])
  })

  test('voids nothing when nothing changed', async () => {
    const { isolate, clock, kv } = await begin()
    await look(isolate)
    const record = kv.written.get(`purge:${HOST}`)?.length
    await clock.advance(30 * SECOND)
    await isolate.tick()
    expect(kv.written.get(`purge:${HOST}`)?.length).toBe(record)
    expect((await isolate.get('/lighthouse')).headers.get('cache-status')).toContain('hit')
  })

  test.each<[string, (world: World) => unknown]>([
    ['the API', ({ api }) => Object.assign(api, { mood: 'failing' })],
    ['KV', ({ kv }) => Object.assign(kv.faults, { failing: true })],
  ])('forgets nothing when %s fails meanwhile', async (_, fail) => {
    const world = await begin()
    const { isolate, api, kv, clock } = world
    await look(isolate)
    api.publish({ title: 'Changed' })
    fail(world)
    await expect(isolate.tick()).rejects.toThrow()
    api.mood = 'well'
    kv.faults.failing = false
    await clock.advance(MINUTE)
    await isolate.tick()
    expect(await look(isolate)).toContain('Changed')
  })

  test('follows a flood of changes in runs that each stay within what KV allows', async () => {
    const { isolate, api, clock, kv } = await begin()
    for (let change = 0; change < 12_000; change++)
      api.publish({ slug: `part-${Math.floor(change / 1000)}-${change % 60}` })
    for (let run = 0; run < 20; run++) {
      kv.operations = 0
      await isolate.tick()
      expect(kv.operations).toBeLessThan(1000)
      await clock.advance(MINUTE)
    }
    expect(kv.written.get(`changes:${HOST}`)?.at(-1)?.value).toContain('"12001.0"')
  })

  test('deletes late writes in runs that each stay within what KV allows', async () => {
    const { isolate, clock, kv } = await begin()
    const urls = Array.from({ length: 400 }, (_, index) => `/page-${index}`)
    const others = urls.map((url) => `${url}-too`)
    for (const part of [urls, others]) {
      await isolate.purge({ host: HOST, urls: part })
      await clock.advance(2 * SECOND)
    }
    const keys = [...urls, ...others].map((url) => `${HOST}:${url}`)
    for (const key of keys) await kv.in('far').put(key, 'null\nlate', { metadata: null })
    for (let minute = 0; minute < 16; minute++) {
      await clock.advance(MINUTE)
      kv.operations = 0
      await isolate.tick()
      expect(kv.operations).toBeLessThan(1000)
    }
    const left = keys.filter((key) => kv.written.get(key)?.at(-1)?.value !== null)
    expect(left).toEqual([])
    expect(JSON.parse(kv.written.get(`purge:${HOST}`)?.at(-1)?.value ?? '').paths).toEqual({})
  })

  test('lets go of old paths, once late writes are gone', async () => {
    const { isolate, clock, kv } = await begin()
    await look(isolate)
    await clock.advance(2 * SECOND)
    const late = kv.written.get(`${HOST}:/lighthouse`)?.at(-1)
    await isolate.purge({ host: HOST, url: '/lighthouse' })
    await clock.advance(2 * SECOND)
    // A slow render of another place writes what it began before the purge.
    await kv.in('far').put(`${HOST}:/lighthouse`, late?.value ?? '', { metadata: late?.metadata })
    for (let minute = 0; minute < 12; minute++) {
      await clock.advance(MINUTE)
      await isolate.tick()
    }
    expect(kv.written.get(`${HOST}:/lighthouse`)?.at(-1)?.value).toBeNull()
    expect(JSON.parse(kv.written.get(`purge:${HOST}`)?.at(-1)?.value ?? '').paths).toEqual({})
  })
})

test('parts of a list that nobody asked for since are gone when the record forgets the list', async () => {
  const { isolate, api, clock, kv } = await begin()
  const months = ['/archive/2026/11', '/archive/2026/10']
  for (const path of ['/sitemap/first.xml', ...months]) await look(isolate, path)
  api.publish({ title: 'Changed' })
  await isolate.tick()
  await clock.advance(2 * SECOND)
  await look(isolate, '/archive/2026/10')
  for (let minute = 0; minute < 12; minute++) {
    await clock.advance(MINUTE)
    await isolate.tick()
  }
  const parts = [...kv.written].filter(([key]) => /\/(sitemap|archive)\//.test(key))
  const left = parts.filter(([, all]) => all.at(-1)?.value !== null)
  expect(left.map(([key]) => key)).toEqual([`${HOST}:/archive/2026/10`])
})

test('a change touches every page that shows the article, before and after', () => {
  const state = {
    slug: 'a',
    language: 'en',
    category_slug: 'port',
    author_slug: 'ada',
    month: null,
  }
  const after = {
    ...state,
    language: 'de',
    slug: 'b',
    category_slug: null,
    author_slug: null,
    month: null,
  }
  expect(
    toTouchedPaths(
      [{ id: 1, before: state, after, related: [], alternates: [] }],
      settingsBut(),
    ).toSorted(),
  ).toEqual(
    [
      ...['/a', '/de/a', '/', '/archive', '/author/ada', '/category/port'],
      ...['/feed.xml', '/atom.xml', '/feed.json'],
      ...['/category/port/feed.xml', '/category/port/atom.xml', '/category/port/feed.json'],
      ...['/b', '/de/b', '/de', '/de/archive', '/de/feed.xml', '/de/atom.xml', '/de/feed.json'],
      '/sitemap.xml',
    ].toSorted(),
  )
})

test.each([
  [{ type: 'page', key: 'about' }, ['/about', '/de/about']],
  [{ type: 'page', key: 'about', language: 'de' }, ['/de/about']],
  [{ type: 'layout', key: 'category' }, ['/category/port']],
  [{ type: 'layout', key: 'search' }, ['/search', '/de/search']],
] as const)('a change touches what a list tag of %o shows', (template, paths) => {
  const state = { slug: 'a', language: 'en', category_slug: null, author_slug: null, month: null }
  const source = "{%- list latest kind: 'recent' -%}"
  const touchedWith = (sources: object) => {
    const { templates } = settingsBut().site_settings
    const one = templateBut({ ...template, ...sources })
    return toTouchedPaths(
      [{ id: 1, before: null, after: state, related: [], alternates: [] }],
      settingsBut({ templates: [...templates.filter(({ key }) => key !== one.key), one] }),
    )
  }
  const plain = touchedWith({ source: 'nothing' })
  expect(touchedWith({ source }).filter((path) => !plain.includes(path))).toEqual(paths)
  const fallbacks = [{ origin: 'element', source }]
  expect(touchedWith({ fallbacks })).toEqual(touchedWith({ source }))
})
