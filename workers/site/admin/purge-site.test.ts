import { describe, expect, test } from 'vitest'
import { PurgeResponse } from '../../../contract/purge.ts'
import {
  createSimulatedNetwork,
  HOST,
  type Isolate,
  type SimulatedNetwork,
  toPurgeRequest,
} from '../tests/simulated-network.ts'

const SECOND = 1000
const textOf = async (isolate: Isolate, path = '/lighthouse') =>
  (await isolate.get(path)).text().finally(() => isolate.waitForBackgroundWork())

const parsePurge = async (response: Response): Promise<PurgeResponse> =>
  PurgeResponse.parse(await response.json())

describe('a purge of the site', () => {
  const PAGES = 20_000
  /** Stores pages of this host, and one page of another host. */
  function seedPages({ kv }: SimulatedNetwork, count: number) {
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
      // Sequences are times: this one is after all rows of the log, but before the purge a day later.
      sequence: Date.UTC(2026, 10, 22),
      build: '0123456789ab',
    }
    const value = '{"headers":{},"dependencies":null}\nold'
    for (let index = 0; index < count; index++) kv.seed(`${HOST}:/seeded-${index}`, value, metadata)
    kv.seed(`x${HOST}:/seeded`, value, metadata)
  }
  const isStored = ({ kv }: Pick<SimulatedNetwork, 'kv'>, key: string) =>
    kv.written.get(key)?.at(-1)?.value !== null
  const findSeededKeys = ({ kv }: SimulatedNetwork) =>
    [...kv.written.keys()].filter(
      (key) => key.startsWith(`${HOST}:/seeded`) && isStored({ kv }, key),
    )

  test(`purges ${PAGES} pages in at most 10 operations, and deletes them later`, {
    timeout: 120_000,
  }, async () => {
    const network = createSimulatedNetwork()
    const { createIsolate, kv, clock, database } = network
    seedPages(network, PAGES)
    const isolate = createIsolate()
    expect(await textOf(isolate, '/seeded-7')).toBe('old')
    await clock.advance(24 * 3600 * SECOND)

    kv.operations = 0
    database.clearTransactions()
    const edgeBefore = isolate.edge.operations
    let purgedAfter = Number.POSITIVE_INFINITY
    // Never fails; counts the operations before the pages are listed.
    kv.faults.failing = (operation) => {
      const operations =
        kv.operations - 1 + database.transactions.length + isolate.edge.operations - edgeBefore
      if (operation === 'list') purgedAfter = Math.min(purgedAfter, operations)
      return false
    }
    const response = await isolate.purge({ host: HOST, site: true })
    expect(purgedAfter).toBeLessThanOrEqual(10)
    expect(kv.operations).toBeLessThanOrEqual(910)
    const body = await parsePurge(response)
    expect(body).toEqual({
      host: HOST,
      scope: 'site',
      deleted: expect.any(Number),
      complete: false,
      converges_within_seconds: 5,
    })
    expect(body.deleted).toBeGreaterThan(800)
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
    expect(findSeededKeys(network)).toEqual([])
    expect(isStored(network, `${HOST}:/lighthouse`)).toBe(true)
    expect(isStored(network, `x${HOST}:/seeded`)).toBe(true)
  })

  test('renders pages again, with new settings', async () => {
    const { createIsolate, api, clock } = createSimulatedNetwork()
    const isolate = createIsolate()
    await textOf(isolate)
    await clock.advance(2 * SECOND)
    api.updateSettings({ css_version: '2.0.0' })
    expect((await isolate.purge({ host: HOST, site: true })).status).toBe(200)
    expect(await textOf(isolate)).toContain('/css/harbour/2.0.0.css')
  })

  test('shows no page with the old settings, although KV returns them for a minute', async () => {
    const { createIsolate, api, clock } = createSimulatedNetwork()
    const [isolate, otherIsolate] = [createIsolate(), createIsolate('other')]
    await textOf(isolate)
    await textOf(otherIsolate, '/')
    api.updateSettings({ css_version: '2.0.0' })
    await clock.advance(2 * SECOND)
    await isolate.purge({ host: HOST, site: true })
    await clock.advance(5 * SECOND)
    expect(await textOf(otherIsolate)).toContain('2.0.0.css')
  })

  test.each<[string, Partial<SimulatedNetwork['kv']['faults']>]>([
    ['list', { failing: (operation) => operation === 'list' }],
    ['delete', { failing: (operation, key) => operation === 'delete' && key.endsWith('-7') }],
  ])(
    'takes effect when a KV %s fails, responds with complete: false, and is completed later',
    async (_, fault) => {
      const network = createSimulatedNetwork()
      const { createIsolate, kv, clock, logs } = network
      seedPages(network, 20)
      const isolate = createIsolate()
      await clock.advance(24 * 3600 * SECOND)
      Object.assign(kv.faults, fault)
      expect(await parsePurge(await isolate.purge({ host: HOST, site: true }))).toMatchObject({
        complete: false,
      })
      expect((await isolate.get('/seeded-7')).status).toBe(404)
      expect(logs).toContainEqual(
        expect.objectContaining({ level: 'warn', event: 'delete-purged-entries' }),
      )
      kv.faults.failing = false
      await clock.advance(60 * SECOND)
      await isolate.runCron()
      expect(findSeededKeys(network)).toEqual([])
    },
  )

  test('is completed after its isolate stopped while it deleted pages', async () => {
    const network = createSimulatedNetwork()
    const { createIsolate, kv, clock } = network
    seedPages(network, 3000)
    const namespace = kv.viewFrom('here')
    let deletes = 0
    const stopping = createIsolate('here', {
      ports: {
        kv: {
          ...namespace,
          delete: (key) => (deletes++ < 300 ? namespace.delete(key) : new Promise(() => {})),
        },
      },
    })
    await clock.advance(24 * 3600 * SECOND)
    void stopping.site.fetch(toPurgeRequest({ host: HOST, site: true }), () => {})
    await clock.advance(SECOND)
    const isolate = createIsolate()
    for (let minute = 0; minute < 6; minute++) {
      await clock.advance(60 * SECOND)
      await isolate.runCron()
    }
    expect(findSeededKeys(network)).toEqual([])
  })
})
