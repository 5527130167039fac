import { describe, expect, test } from 'vitest'
import type { Database } from '../ports.ts'
import { cacheStatusOf, fetchPage } from './fetch-page.ts'
import {
  createSimulatedNetwork,
  HOST,
  type Isolate,
  type SimulatedNetwork,
} from './simulated-network.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const PATHS = ['/', '/lighthouse', '/category/port']
const LOG_URL = `https://${HOST}/__cms/invalidation-log`
const KEY = `${HOST}:/lighthouse`

/** Starts one isolate, which caches the pages. The change log stays empty. */
async function startNetwork() {
  const network = createSimulatedNetwork()
  network.api.hasEmptyChangeLog = true
  const isolate = network.createIsolate()
  for (const path of PATHS) await fetchPage(isolate, path)
  return { ...network, isolate }
}

const countTransactions = ({ database }: SimulatedNetwork, start: string) =>
  database.transactions.filter(([first]) => first?.sql.startsWith(start)).length
const countReads = (network: SimulatedNetwork) => countTransactions(network, 'SELECT')
const countClaims = (network: SimulatedNetwork) =>
  countTransactions(network, 'UPDATE state SET started_at')

/** Sends ten requests a second to each isolate; each must be a hit that waits for nothing. */
async function sendHits(
  seconds: number,
  isolates: readonly Isolate[],
  { clock }: SimulatedNetwork,
) {
  for (let hit = 0; hit < seconds * 10; hit++) {
    await clock.advance(100)
    for (const isolate of isolates) {
      const before = clock.now()
      const response = await isolate.get('/lighthouse')
      expect(cacheStatusOf(response)).toContain('detail=edge')
      expect(clock.now()).toBe(before)
    }
  }
}

describe('without faults', () => {
  test('a hit does not wait for D1 or KV, and a minute of hits causes at most 31 log reads and 13 claims', async () => {
    const network = await startNetwork()
    const { isolate, clock, database, kv } = network
    await clock.advance(SECOND)
    await fetchPage(isolate)
    database.faults.latency = () => 400
    kv.faults.latency = 400
    database.clearTransactions()
    kv.operations = 0
    await sendHits(60, [isolate], network)
    expect(countReads(network)).toBeGreaterThan(20)
    expect(countReads(network)).toBeLessThanOrEqual(31)
    expect(countClaims(network)).toBeGreaterThan(5)
    expect(countClaims(network)).toBeLessThanOrEqual(13)
    expect(kv.operations).toBe(0)
  })

  test('isolates of one data centre share log reads through the edge copy', async () => {
    const network = await startNetwork()
    const isolates = [network.isolate, network.createIsolate(), network.createIsolate()]
    for (const isolate of isolates) await fetchPage(isolate)
    network.database.clearTransactions()
    await sendHits(60, isolates, network)
    expect(countReads(network)).toBeLessThanOrEqual(40)
  })

  test('the whole log is read again every ten minutes', async () => {
    const network = await startNetwork()
    const { isolate, clock, database } = network
    database.clearTransactions()
    for (let minute = 0; minute < 21; minute++) {
      await clock.advance(MINUTE)
      await fetchPage(isolate)
    }
    const fullReads = database.transactions.filter(
      (statements) => statements.at(-1)?.parameters[0] === 0,
    )
    expect(fullReads).toHaveLength(2)
  })
})

describe('while D1 is down for an hour', () => {
  test('cached pages are served, purges are 503, and purged versions are not served again', async () => {
    const network = await startNetwork()
    const { isolate, api, clock, database, kv, createIsolate } = network
    await clock.advance(2 * SECOND)
    api.publish({ title: 'New' })
    expect((await isolate.purge({ host: HOST, url: '/lighthouse' })).status).toBe(200)
    expect((await fetchPage(isolate)).text).toContain('New')
    await clock.advance(2 * MINUTE)

    database.faults.failing = true
    let slowest = 0
    for (let minute = 0; minute < 60; minute++) {
      await clock.advance(MINUTE)
      for (const each of minute % 10 === 0
        ? [isolate, createIsolate(), createIsolate('other')]
        : [isolate]) {
        const before = clock.now()
        for (const path of PATHS)
          expect(await fetchPage(each, path), path).toMatchObject({ status: 200 })
        slowest = Math.max(slowest, clock.now() - before)
        expect((await fetchPage(each)).text).toContain('New')
      }
    }
    expect(slowest).toBeLessThanOrEqual(2 * SECOND)
    api.publish({ title: 'Newer' })
    const rejected = await isolate.purge({ host: HOST, url: '/lighthouse' })
    expect([rejected.status, rejected.headers.has('retry-after')]).toEqual([503, true])
    expect(kv.written.get(KEY)?.at(-1)?.value).toBeNull()
    expect((await fetchPage(isolate)).text).toContain('Newer')

    database.faults.failing = false
    await clock.advance(2 * MINUTE)
    for (const each of [isolate, createIsolate(), createIsolate('other')])
      expect((await fetchPage(each)).text).toContain('New')
    expect((await isolate.purge({ host: HOST, url: '/lighthouse' })).status).toBe(200)
    await clock.advance(6 * SECOND)
    for (const each of [isolate, createIsolate(), createIsolate('other')])
      expect((await fetchPage(each)).text).toContain('Newer')
  })

  test('a data centre without a copy of the log caches pages for 30 s only, and writes none to KV', async () => {
    const { api, clock, database, kv, createIsolate } = await startNetwork()
    await clock.advance(2 * MINUTE)
    database.faults.failing = true
    const otherIsolate = createIsolate('other')
    expect((await fetchPage(otherIsolate)).cacheStatus).toContain('detail=kv')
    const copy = otherIsolate.edge.copies.get(`https://${HOST}/lighthouse`)
    expect((copy?.expiresAt ?? 0) - clock.now()).toBeLessThanOrEqual(30 * SECOND)
    api.publish({ slug: 'unknown', title: 'Unknown' })
    expect((await fetchPage(otherIsolate, '/unknown')).text).toContain('Unknown')
    expect(kv.written.has(`${HOST}:/unknown`)).toBe(false)
    const rendered = otherIsolate.edge.copies.get(`https://${HOST}/unknown`)
    expect((rendered?.expiresAt ?? 0) - clock.now()).toBeLessThanOrEqual(30 * SECOND)
    database.faults.failing = false
    await clock.advance(6 * SECOND)
    expect((await fetchPage(otherIsolate, '/unknown')).cacheStatus).toContain('fwd=uri-miss')
    expect(kv.written.has(`${HOST}:/unknown`)).toBe(true)
  })
})

describe('a read of the log', () => {
  test('that stalls delays one request by a second, and no request in the next five seconds', async () => {
    const { isolate, clock, database } = await startNetwork()
    await clock.advance(10 * SECOND)
    database.faults.latency = () => 30 * SECOND
    const waits: number[] = []
    for (let visit = 0; visit < 10; visit++) {
      const before = clock.now()
      await isolate.get('/lighthouse')
      waits.push(clock.now() - before)
      await clock.advance(500)
    }
    expect(waits).toEqual([SECOND, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  })

  test('takes effect even if its response is late', async () => {
    const { isolate, api, clock, database, createIsolate } = await startNetwork()
    await clock.advance(10 * SECOND)
    api.publish({ title: 'New' })
    await createIsolate('other').purge({ host: HOST, url: '/lighthouse' })
    database.faults.latency = () => 3 * SECOND
    await isolate.get('/lighthouse')
    await clock.advance(3 * SECOND)
    database.faults.failing = true
    expect((await fetchPage(isolate)).text).toContain('New')
  })

  // workerd does not continue the work of a cancelled request, so its read never ends.
  test('that was started by a cancelled request is repeated by the next request', async () => {
    const { isolate, api, clock, database, createIsolate } = await startNetwork()
    await clock.advance(10 * SECOND)
    const hangingDatabase: Database = { transact: () => new Promise(() => {}) }
    let isHanging = true
    const hanging = createIsolate('here', {
      ports: {
        database: {
          transact: (statements) => (isHanging ? hangingDatabase : database).transact(statements),
        },
        sleep: (milliseconds) => (isHanging ? new Promise(() => {}) : clock.sleep(milliseconds)),
      },
    })
    void hanging.site.fetch(new Request(`https://${HOST}/lighthouse`), () => {})
    await clock.advance(10)
    isHanging = false
    api.publish({ title: 'New' })
    await isolate.purge({ host: HOST, url: '/lighthouse' })
    hanging.edge.clear()
    const before = clock.now()
    expect(await (await hanging.get('/lighthouse')).text()).toContain('New')
    expect(clock.now() - before).toBeLessThanOrEqual(2 * SECOND)
  })

  test('that fails after a pause of its isolate is replaced by the edge copy of the log', async () => {
    const { isolate, api, clock, database, createIsolate } = await startNetwork()
    const paused = createIsolate('here', {
      ports: {
        database: { transact: () => new Promise(() => {}) },
        sleep: () => clock.sleep(20 * SECOND),
      },
    })
    await clock.advance(10 * SECOND)
    void paused.site.fetch(new Request(`https://${HOST}/`), () => {})
    await clock.advance(100)
    api.publish({ title: 'New' })
    await createIsolate('other').purge({ host: HOST, url: '/lighthouse' })
    await clock.advance(5 * SECOND)
    await fetchPage(isolate, '/')
    database.faults.failing = true
    await clock.advance(15 * SECOND)
    expect(await (await paused.get('/lighthouse')).text()).toContain('New')
  })

  test('does not overwrite an edge copy that is newer', async () => {
    const { isolate, clock, database, createIsolate } = await startNetwork()
    await clock.advance(10 * SECOND)
    const slow = createIsolate('here', {
      ports: {
        database: {
          transact: async (statements) => {
            const results = await database.transact(statements)
            await clock.sleep(900)
            return results
          },
        },
      },
    })
    const response = slow.get('/lighthouse')
    await clock.advance(100)
    await isolate.purge({ host: HOST, url: '/purged' })
    await response
    await slow.waitForBackgroundWork()
    expect(isolate.edge.copies.get(LOG_URL)?.body).toContain('/purged')
  })
})

describe('a page', () => {
  test('that was rendered for more than a minute is served, but not stored', async () => {
    const { isolate, api, clock, kv } = await startNetwork()
    api.publish({ slug: 'slow', title: 'Slow' })
    api.delay = () => clock.sleep(61 * SECOND)
    expect((await fetchPage(isolate, '/slow')).text).toContain('Slow')
    expect(kv.written.has(`${HOST}:/slow`)).toBe(false)
    expect(isolate.edge.copies.has(`https://${HOST}/slow`)).toBe(false)
  })

  test('that was rendered with outdated settings is outdated, too', async () => {
    const { isolate, api, clock, createIsolate } = await startNetwork()
    const otherIsolate = createIsolate('other')
    await clock.advance(60 * SECOND)
    await fetchPage(otherIsolate, '/')
    api.hasEmptyChangeLog = false
    api.updateSettings({ css_version: '2.0.0' })
    await clock.advance(6 * SECOND)
    await isolate.runCron()
    api.isFailing = (path) => path.endsWith('/settings')
    expect((await fetchPage(otherIsolate, '/robots.txt')).status).toBe(200)
    expect((await fetchPage(otherIsolate, '/author/ada')).text).toContain('1.0.0.css')
    api.isFailing = () => false
    await clock.advance(11 * SECOND)
    expect((await fetchPage(otherIsolate, '/author/ada')).text).toContain('2.0.0.css')
  })
})
