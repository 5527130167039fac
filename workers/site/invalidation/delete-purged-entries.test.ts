import { describe, expect, test } from 'vitest'
import { createSimulatedNetwork, HOST, type SimulatedNetwork } from '../tests/simulated-network.ts'

const SECOND = 1000

describe('housekeeping', () => {
  const putLate = async ({ kv }: SimulatedNetwork, key: string, sequence: number) =>
    kv.viewFrom('late').put(key, 'late', { metadata: { sequence } })

  test('deletes entries that are older than a purge, then the row of the purge', async () => {
    const network = createSimulatedNetwork()
    const { createIsolate, clock, kv, database } = network
    const isolate = createIsolate()
    kv.faults.propagationMs = 0
    const sequence = clock.now()
    await isolate.purge({ host: HOST, urls: ['/late', '/newer', '/archive'] })
    await clock.advance(8 * 60 * SECOND)
    const lateKey = `${HOST}:/late`
    const monthKey = `${HOST}:/archive/2026/11`
    const newerKey = `${HOST}:/newer`
    await putLate(network, lateKey, sequence - 1)
    await putLate(network, monthKey, sequence - 1)
    await putLate(network, newerKey, sequence + 1000)
    for (let minute = 0; minute < 10; minute++) {
      await clock.advance(60 * SECOND)
      kv.operations = 0
      await isolate.runCron()
      expect(kv.operations).toBeLessThan(1000)
    }
    const isStored = (key: string) => kv.written.get(key)?.at(-1)?.value !== null
    expect(isStored(lateKey), 'a late write').toBe(false)
    expect(isStored(monthKey), 'a month of the purged archive').toBe(false)
    expect(isStored(newerKey), 'an entry from after the purge').toBe(true)
    expect(database.rows('invalidations').filter(({ path }) => path !== '')).toEqual([])
  })

  test('keeps the row of a purge while KV fails, and for five minutes after its entries are deleted', async () => {
    const { createIsolate, clock, kv, database } = createSimulatedNetwork()
    const isolate = createIsolate()
    await isolate.purge({ host: HOST, url: '/lighthouse' })
    const hasRow = () => database.rows('invalidations').some(({ path }) => path === '/lighthouse')
    const run = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        await clock.advance(60 * SECOND)
        await isolate.runCron()
      }
    }
    kv.faults.failing = true
    await run(30)
    expect(hasRow()).toBe(true)
    kv.faults.failing = false
    await run(4)
    expect(hasRow()).toBe(true)
    await run(4)
    expect(hasRow()).toBe(false)
  })

  test('keeps the rows of changes while the change log cannot be read', async () => {
    const { createIsolate, clock, api, database } = createSimulatedNetwork()
    const isolate = createIsolate()
    await clock.advance(6 * SECOND)
    api.publish({ title: 'Changed' })
    await isolate.runCron()
    api.mode = 'status-500'
    for (let minute = 0; minute < 30; minute++) {
      await clock.advance(60 * SECOND)
      await isolate.runCron()
    }
    expect(database.rows('invalidations').some(({ path }) => path === '/lighthouse')).toBe(true)
  })
})
