import { describe, expect, test } from 'vitest'
import { findNewest } from '../cache/entry.ts'
import { InvalidationLog } from '../invalidation/log.ts'
import {
  CLAIM_RUN,
  commitStep,
  HOST,
  insertPurge,
  type Progress,
  type Row,
  recordCursor,
  recordDeleted,
  selectHousekeeping,
  toKey,
} from '../invalidation/queries.ts'
import type { Database } from '../ports.ts'
import { createEdgeDouble } from './edge.ts'

const NEW: Progress = { revision: null, restoreId: null, settingsPending: false }
const at = (revision: string): Progress => ({ ...NEW, revision, restoreId: 'one' })
const toPaths = (count: number, prefix = 'p') =>
  Array.from({ length: count }, (_, index) => `/${prefix}-${index}`)

/** The invalidation log over an implementation of D1. `open` returns an empty database. */
export function describeLog(open: () => Promise<Database>): void {
  const openLog = (database: Database) => {
    const ports = {
      database,
      edge: createEdgeDouble(Date.now),
      now: Date.now,
      sleep: (milliseconds: number) =>
        new Promise<void>((done) => setTimeout(done, milliseconds).unref()),
      log: () => {},
    }
    return new InvalidationLog({ host: 'news.test', ports, onRunDue: async () => {} })
  }
  const readAll = async (database: Database) => {
    const log = openLog(database)
    await log.transact(recordCursor(null))
    return log.current
  }
  const newestChange = (log: InvalidationLog, path?: string) =>
    findNewest(log.current, path, ['change'])

  test('tables are created on first use, with a change of the host', async () => {
    const log = openLog(await open())
    await log.transact(CLAIM_RUN)
    expect(log.current.rows.size).toBe(1)
    expect(newestChange(log)).toBe(log.current.newest)
    expect(Math.abs(Date.now() - log.current.newest)).toBeLessThan(60_000)
  })

  test('sequences of several isolates are strictly increasing', async () => {
    const database = await open()
    const logs = [openLog(database), openLog(database), openLog(database)]
    const written: number[] = []
    for (let round = 0; round < 5; round++)
      for (const log of logs) written.push((await log.transact(insertPurge(['/a']))) ?? 0)
    expect(written).toEqual([...new Set(written)].toSorted((one, other) => one - other))
    const parallel = await Promise.all(
      logs.map((log, index) => log.transact(insertPurge([`/${index}`]))),
    )
    expect(new Set(parallel).size).toBe(3)
  })

  test('a purge is one sequence for all its paths, and a second isolate reads them', async () => {
    const database = await open()
    const paths = toPaths(400)
    const sequence = await openLog(database).transact(insertPurge(paths))
    const { rows, newest } = await readAll(database)
    expect(newest).toBe(sequence)
    expect(paths.map((path) => rows.get(toKey('purge', path)))).toEqual(paths.map(() => sequence))
  })

  test('purges are rejected above 5,000 live ones, except those of the host', async () => {
    const database = await open()
    const log = openLog(database)
    for (let part = 0; part < 12; part++)
      expect(await log.transact(insertPurge(toPaths(400, `${part}`)))).toBeGreaterThan(0)
    expect(await log.transact(insertPurge(toPaths(201, 'more')))).toBeUndefined()
    expect((await readAll(database)).rows.has(toKey('purge', '/more-0'))).toBe(false)
    expect(await log.transact(insertPurge(toPaths(200, 'more')))).toBeGreaterThan(0)
    expect(await log.transact(insertPurge([HOST]))).toBeGreaterThan(0)
  })

  test('of concurrent claims one gets the run', async () => {
    const database = await open()
    const logs = Array.from({ length: 8 }, () => openLog(database))
    const claims = await Promise.all(logs.map((log) => log.transact(CLAIM_RUN, { tries: 1 })))
    expect(claims.filter((claim) => claim !== undefined)).toEqual([NEW])
  })

  test('of two runs from one revision the second writes nothing', async () => {
    const database = await open()
    const log = openLog(database)
    await log.transact(commitStep(NEW, at('1.0'), [HOST]))
    await log.transact(commitStep(at('1.0'), at('2.0'), ['/first']))
    await log.transact(commitStep(at('1.0'), at('9.0'), ['/second', '/first']))
    const before = newestChange(log, '/first')
    await log.transact(commitStep(at('1.0'), at('9.0'), [HOST]))
    const { rows } = await readAll(database)
    expect([...rows.keys()].toSorted()).toEqual(['change ', 'change /first'])
    expect(rows.get(toKey('change', '/first'))).toBe(before)
    expect(rows.get(toKey('change', HOST))).toBeLessThan(before)
  })

  describe('changes of too many paths become one of the host', () => {
    test.each([
      ['at once', [toPaths(1001)]],
      ['little by little', [toPaths(600, 'a'), toPaths(600, 'b')]],
    ])('%s', async (_, steps) => {
      const database = await open()
      const log = openLog(database)
      await log.transact(insertPurge(['/purged']))
      const created = newestChange(log)
      for (const [index, paths] of steps.entries())
        await log.transact(commitStep(index ? at(`${index}`) : NEW, at(`${index + 1}`), paths))
      const { rows } = await readAll(database)
      expect([...rows.keys()].toSorted()).toEqual(['change ', 'purge /purged'])
      expect(rows.get(toKey('change', HOST))).toBeGreaterThan(created)
    })
  })

  test('a row that was written again while its KV entry was deleted stays due', async () => {
    const database = await open()
    const log = openLog(database)
    const sequence = (await log.transact(insertPurge(['/a', HOST]))) ?? 0
    const row: Row = { path: HOST, kind: 'purge', sequence }
    expect(await log.transact(selectHousekeeping(10))).toEqual([{ ...row, cursor: null }])
    await log.transact(recordCursor('here'))
    expect(await log.transact(selectHousekeeping(10))).toEqual([{ ...row, cursor: 'here' }])
    const again = await log.transact(insertPurge([HOST]))
    await log.transact(recordDeleted([row]))
    expect(await log.transact(selectHousekeeping(10))).toEqual([
      { ...row, sequence: again, cursor: null },
    ])
    await log.transact(recordDeleted([{ ...row, sequence: again ?? 0 }]))
    expect(await log.transact(selectHousekeeping(10))).toEqual([])
  })
}
