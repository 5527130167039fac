import { describe, expect, test } from 'vitest'
import { cacheStatusOf, fetchPage } from '../tests/fetch-page.ts'
import {
  createSimulatedNetwork,
  HOST,
  type Isolate,
  type SimulatedNetwork,
} from '../tests/simulated-network.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const PATHS = ['/', '/lighthouse', '/category/port']

/** Starts one isolate, six seconds after the change log was last read. */
async function startNetwork() {
  const network = createSimulatedNetwork()
  const isolate = network.createIsolate()
  await network.clock.advance(6 * SECOND)
  /** Waits until a run is due, and runs the cron trigger. */
  const follow = async () => {
    await network.clock.advance(6 * SECOND)
    await isolate.runCron()
  }
  return { ...network, isolate, follow }
}

/** Requests a page that no change affects, once a second. */
async function visitEachSecond(
  isolate: Isolate,
  { clock }: SimulatedNetwork,
  seconds: number,
): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await clock.advance(SECOND)
    await (await isolate.get('/robots.txt')).text()
  }
}

const textOf = async (isolate: Isolate, path: string) => (await fetchPage(isolate, path)).text
const rowsOf = ({ database }: SimulatedNetwork, kind: string) =>
  database.rows('invalidations').filter((row) => row.kind === kind && row.path !== '')

describe('a change without a purge', () => {
  test('is seen within 12 s when there is a visit each second', async () => {
    const network = await startNetwork()
    const { isolate, api } = network
    for (const path of PATHS) await fetchPage(isolate, path)
    api.publish({ title: 'Changed' })
    await visitEachSecond(isolate, network, 12)
    for (const path of PATHS) expect(await textOf(isolate, path)).toContain('Changed')
  })

  test('is seen on an idle host after the cron trigger has run', async () => {
    const network = await startNetwork()
    const { isolate, api, clock } = network
    for (const path of PATHS) await fetchPage(isolate, path)
    await clock.advance(MINUTE)
    api.publish({ title: 'Changed' })
    await isolate.runCron()
    await clock.advance(6 * SECOND)
    for (const path of PATHS) expect(await textOf(isolate, path)).toContain('Changed')
  })

  test('is seen on a page that did not exist before', async () => {
    const { isolate, api, follow } = await startNetwork()
    expect((await fetchPage(isolate, '/new')).status).toBe(404)
    api.publish({ slug: 'new', title: 'Brand new' })
    await follow()
    expect(await textOf(isolate, '/new')).toContain('Brand new')
  })

  test('of settings is seen on a cached page', async () => {
    const { isolate, api, follow } = await startNetwork()
    await fetchPage(isolate)
    api.updateSettings({ css_version: '2.0.0' })
    await follow()
    expect(await textOf(isolate, '/lighthouse')).toContain('2.0.0.css')
  })

  test.each([
    '/sitemap/first.xml',
    '/archive/2026/11',
    '/archive/2026/11/after/c2',
    '/category/port/after/c2',
  ])('is seen on %s, which is a part of an affected list', async (path) => {
    const { isolate, api, follow } = await startNetwork()
    expect(await textOf(isolate, path)).not.toContain('brand-new')
    api.publish({ slug: 'brand-new', title: 'brand-new', path: '/brand-new' })
    await follow()
    expect(await textOf(isolate, path)).toContain('brand-new')
  })

  test('outdates articles that list it as related, and its translations', async () => {
    const network = await startNetwork()
    const related = [{ slug: 'other', language: 'en' }]
    const alternates = [{ slug: 'leuchtturm', language: 'de' }]
    network.api.publish({ title: 'Changed' }, { related, alternates })
    await network.follow()
    const paths = rowsOf(network, 'change').map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['/other', '/de/leuchtturm']))
  })

  test('keeps the old page in KV, which is served while the API fails', async () => {
    const network = await startNetwork()
    const { isolate, api, kv, follow } = network
    await fetchPage(isolate)
    api.publish({ title: 'Changed' })
    await follow()
    api.mode = 'status-500'
    const page = await fetchPage(isolate)
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('The lighthouse') })
    expect(page.cacheStatus).toMatch(/fwd=stale/)
    expect(kv.written.get(`${HOST}:/lighthouse`)?.at(-1)?.value).not.toBeNull()
  })

  test('outdates no page when nothing has changed', async () => {
    const network = await startNetwork()
    const { isolate, clock, database, follow } = network
    await fetchPage(isolate)
    const before = database.rows('invalidations')
    await clock.advance(30 * SECOND)
    await follow()
    expect(database.rows('invalidations')).toEqual(before)
    expect((await fetchPage(isolate)).cacheStatus).toContain('hit')
  })
})

describe('an outdated page', () => {
  test('is served after two seconds of revalidation, which continues after the response', async () => {
    const { isolate, api, clock, follow } = await startNetwork()
    await fetchPage(isolate)
    api.publish({ title: 'Changed' })
    await follow()
    api.delay = () => clock.sleep(4 * SECOND)
    const before = clock.now()
    const response = await isolate.get('/lighthouse')
    expect(clock.now() - before).toBe(2 * SECOND)
    expect(await response.text()).toContain('The lighthouse')
    await isolate.waitForBackgroundWork()
    expect(cacheStatusOf(await isolate.get('/lighthouse'))).toContain('hit')
    expect(await textOf(isolate, '/lighthouse')).toContain('Changed')
  })

  test('that has not changed is written to KV again, unlike a stale one', async () => {
    const { isolate, api, clock, kv, follow } = await startNetwork()
    const key = `${HOST}:/lighthouse`
    await fetchPage(isolate)
    await clock.advance(301 * SECOND)
    await fetchPage(isolate)
    expect(kv.written.get(key)).toHaveLength(1)
    api.updateSettings({})
    await follow()
    await fetchPage(isolate)
    expect(kv.written.get(key)).toHaveLength(2)
  })
})

describe('settings that cannot be read', () => {
  test('do not outdate the host, and changes of articles still take effect', async () => {
    const network = await startNetwork()
    const { isolate, api, clock, database, logs, follow } = network
    for (const path of PATHS) await fetchPage(isolate, path)
    const before = database.rows('invalidations').filter(({ path }) => path === '')
    api.updateSettings({ css_version: '2.0.0' })
    api.publish({ title: 'Changed' })
    api.isFailing = (path) => path.endsWith('/settings')
    for (let minute = 0; minute < 3; minute++) {
      await follow()
      await clock.advance(MINUTE)
    }
    expect(database.rows('invalidations').filter(({ path }) => path === '')).toEqual(before)
    for (const path of PATHS) expect(await textOf(isolate, path)).toContain('Changed')
    expect(logs).toContainEqual(expect.objectContaining({ level: 'error', part: 'settings' }))
    api.isFailing = () => false
    await follow()
    expect(await textOf(isolate, '/lighthouse')).toContain('2.0.0.css')
  })
})

describe('a run without a usable revision', () => {
  test.each<[string, (network: SimulatedNetwork) => unknown]>([
    ['on an empty D1 database', ({ database }) => database.recreate()],
    [
      'after the database of the API was restored',
      ({ api }) => Object.assign(api, { restoreId: 'two' }),
    ],
  ])('%s outdates the host once', async (_, cause) => {
    const network = await startNetwork()
    const { isolate, clock, follow } = network
    await fetchPage(isolate)
    cause(network)
    await follow()
    const page = await fetchPage(isolate)
    expect(page.cacheStatus).toContain('fwd=uri-miss')
    const rows = network.database.rows('invalidations')
    await clock.advance(MINUTE)
    await follow()
    expect(network.database.rows('invalidations')).toEqual(rows)
  })

  test('for a site that the API does not have outdates the host once', async () => {
    const network = await startNetwork()
    const siteless = network.createIsolate('here', { config: { site: 'gone' } })
    await siteless.runCron()
    const rows = network.database.rows('invalidations')
    await network.clock.advance(MINUTE)
    await siteless.runCron()
    expect(network.database.rows('invalidations')).toEqual(rows)
    expect((await siteless.get('/')).status).toBe(404)
  })
})

describe('a run', () => {
  test.each<[string, (network: SimulatedNetwork) => unknown]>([
    ['the API', ({ api }) => Object.assign(api, { mode: 'status-500' })],
    ['D1', ({ database }) => Object.assign(database.faults, { failing: true })],
  ])('that fails because of %s is logged as an error, and loses no change', async (_, fail) => {
    const network = await startNetwork()
    const { isolate, api, database, clock, logs, follow } = network
    await fetchPage(isolate)
    api.publish({ title: 'Changed' })
    fail(network)
    await follow()
    expect(logs).toContainEqual(
      expect.objectContaining({ level: 'error', event: 'follow-changes' }),
    )
    api.mode = 'ok'
    database.faults.failing = false
    await clock.advance(MINUTE)
    await follow()
    expect(await textOf(isolate, '/lighthouse')).toContain('Changed')
  })

  test('that never ends is followed by another run within 16 s', async () => {
    const network = await startNetwork()
    const { isolate, createIsolate, api, clock } = network
    await fetchPage(isolate)
    api.publish({ title: 'Changed' })
    const hanging = createIsolate('other', { ports: { fetch: () => new Promise(() => {}) } })
    void hanging.site.scheduled(() => {})
    await visitEachSecond(isolate, network, 15)
    await clock.advance(SECOND)
    expect(await textOf(isolate, '/lighthouse')).toContain('Changed')
  })

  test('that repeats a transaction whose response was lost writes nothing twice', async () => {
    const network = await startNetwork()
    const { isolate, api, database, clock } = network
    await fetchPage(isolate)
    api.publish({ title: 'Changed' })
    const [before] = database.rows('state')
    let calls = 0
    const { transact } = database
    const flaky = network.createIsolate('here', {
      ports: {
        database: {
          transact: async (statements) => {
            const results = await transact(statements)
            // The first transaction claims the run, the second writes its step.
            if (++calls === 2) throw new Error('D1_ERROR: Network connection lost.')
            return results
          },
        },
      },
    })
    await clock.advance(6 * SECOND)
    await flaky.runCron()
    const [after] = database.rows('state')
    expect(Number(after?.sequence)).toBeGreaterThan(Number(before?.sequence))
    expect(new Set(rowsOf(network, 'change').map(({ sequence }) => sequence)).size).toBe(1)
    await clock.advance(MINUTE)
    expect(await textOf(isolate, '/lighthouse')).toContain('Changed')
  })

  test('reads 12,000 changes to the end, and keeps at most 1,000 rows of paths', async () => {
    const network = await startNetwork()
    const { api, database, follow } = network
    for (let change = 0; change < 12_000; change++) api.publish({ slug: `part-${change}` })
    await follow()
    expect(database.rows('state')[0]).toMatchObject({ revision: api.revision, failure: null })
    expect(rowsOf(network, 'change').length).toBeLessThanOrEqual(1000)
  })

  test('renders a changed sitemap, so that no visitor waits for it', async () => {
    const { isolate, api, kv, createIsolate, follow } = await startNetwork()
    await fetchPage(isolate, '/sitemap.xml')
    api.publish({ title: 'Changed', updated_at: '2026-11-21T07:00:00.000Z' })
    await follow()
    await isolate.waitForBackgroundWork()
    api.calls.length = 0
    kv.faults.propagationMs = 0
    for (const each of [isolate, createIsolate('other')])
      expect(await textOf(each, '/sitemap.xml')).toContain('<lastmod>2026-11-21T07:00')
    expect(api.calls.filter((path) => path.includes('/sitemap'))).toEqual([])
  })
})
