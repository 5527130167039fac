import { describe, expect, test } from 'vitest'
import { findNewestSequence } from '../cache/entry.ts'
import { InvalidationLog } from '../invalidation/log.ts'
import {
  CLAIM_RUN,
  commitStep,
  insertPurge,
  type Progress,
  pruneAndSelect,
  type Row,
  recordCursor,
  recordDeleted,
  toKey,
  WHOLE_HOST,
} from '../invalidation/queries.ts'
import type { Database } from '../ports.ts'
import { createEdgeDouble } from './edge.ts'

const NOTHING_READ: Progress = { revision: null, restoreId: null, settingsPending: false }
const progressAt = (revision: string): Progress => ({ ...NOTHING_READ, revision, restoreId: 'one' })
const toPaths = (count: number, prefix = 'p') =>
  Array.from({ length: count }, (_, index) => `/${prefix}-${index}`)

/** Tests the invalidation log on an implementation of D1. `openDatabase` returns an empty database. */
export function describeLog(openDatabase: () => Promise<Database>): void {
  const openLog = (database: Database) => {
    const ports = {
      database,
      edge: createEdgeDouble(Date.now),
      now: Date.now,
      sleep: (milliseconds: number) =>
        new Promise<void>((resolve) => setTimeout(resolve, milliseconds).unref()),
      logEvent: () => {},
    }
    return new InvalidationLog({ host: 'news.test', ports, onRunDue: async () => {} })
  }
  const readLog = async (database: Database) => {
    const log = openLog(database)
    await log.transact(recordCursor(null))
    return log.current
  }
  const findNewestChange = (log: InvalidationLog, path?: string) =>
    findNewestSequence(log.current, path, ['change'])

  test('tables are created on first use, with a change of the host', async () => {
    const log = openLog(await openDatabase())
    await log.transact(CLAIM_RUN)
    expect(log.current.rows.size).toBe(1)
    expect(findNewestChange(log)).toBe(log.current.newest)
    expect(Math.abs(Date.now() - log.current.newest)).toBeLessThan(60_000)
  })

  test('sequences written by several isolates are strictly increasing', async () => {
    const database = await openDatabase()
    const logs = [openLog(database), openLog(database), openLog(database)]
    const sequences: number[] = []
    for (let round = 0; round < 5; round++)
      for (const log of logs) sequences.push((await log.transact(insertPurge(['/a']))) ?? 0)
    expect(sequences).toEqual([...new Set(sequences)].toSorted((one, other) => one - other))
    const parallel = await Promise.all(
      logs.map((log, index) => log.transact(insertPurge([`/${index}`]))),
    )
    expect(new Set(parallel).size).toBe(3)
  })

  test('all paths of a purge have one sequence, and a second isolate reads them', async () => {
    const database = await openDatabase()
    const paths = toPaths(400)
    const sequence = await openLog(database).transact(insertPurge(paths))
    const { rows, newest } = await readLog(database)
    expect(newest).toBe(sequence)
    expect(paths.map((path) => rows.get(toKey('purge', path)))).toEqual(paths.map(() => sequence))
  })

  test('purges are rejected above 5,000 rows of paths, except purges of the host', async () => {
    const database = await openDatabase()
    const log = openLog(database)
    for (let part = 0; part < 12; part++)
      expect(await log.transact(insertPurge(toPaths(400, `${part}`)))).toBeGreaterThan(0)
    expect(await log.transact(insertPurge(toPaths(201, 'more')))).toBeUndefined()
    expect((await readLog(database)).rows.has(toKey('purge', '/more-0'))).toBe(false)
    expect(await log.transact(insertPurge(toPaths(200, 'more')))).toBeGreaterThan(0)
    expect(await log.transact(insertPurge([WHOLE_HOST]))).toBeGreaterThan(0)
  })

  test('one of several concurrent claims gets the run', async () => {
    const database = await openDatabase()
    const logs = Array.from({ length: 8 }, () => openLog(database))
    const claims = await Promise.all(logs.map((log) => log.transact(CLAIM_RUN, { tries: 1 })))
    expect(claims.filter((claim) => claim !== undefined)).toEqual([NOTHING_READ])
  })

  test('the second of two runs from the same revision writes nothing', async () => {
    const database = await openDatabase()
    const log = openLog(database)
    await log.transact(commitStep(NOTHING_READ, progressAt('1.0'), [WHOLE_HOST]))
    await log.transact(commitStep(progressAt('1.0'), progressAt('2.0'), ['/first']))
    await log.transact(commitStep(progressAt('1.0'), progressAt('9.0'), ['/second', '/first']))
    const before = findNewestChange(log, '/first')
    await log.transact(commitStep(progressAt('1.0'), progressAt('9.0'), [WHOLE_HOST]))
    const { rows } = await readLog(database)
    expect([...rows.keys()].toSorted()).toEqual(['change ', 'change /first'])
    expect(rows.get(toKey('change', '/first'))).toBe(before)
    expect(rows.get(toKey('change', WHOLE_HOST))).toBeLessThan(before)
  })

  describe('changes of more than 1,000 paths become one change of the host', () => {
    test.each([
      ['in one step', [toPaths(1001)]],
      ['in two steps', [toPaths(600, 'a'), toPaths(600, 'b')]],
    ])('%s', async (_, steps) => {
      const database = await openDatabase()
      const log = openLog(database)
      await log.transact(insertPurge(['/purged']))
      const initialChange = findNewestChange(log)
      for (const [index, paths] of steps.entries())
        await log.transact(
          commitStep(
            index ? progressAt(`${index}`) : NOTHING_READ,
            progressAt(`${index + 1}`),
            paths,
          ),
        )
      const { rows } = await readLog(database)
      expect([...rows.keys()].toSorted()).toEqual(['change ', 'purge /purged'])
      expect(rows.get(toKey('change', WHOLE_HOST))).toBeGreaterThan(initialChange)
    })
  })

  test('a row that is written again while its KV entries are deleted is not recorded as deleted', async () => {
    const database = await openDatabase()
    const log = openLog(database)
    const sequence = (await log.transact(insertPurge(['/a', WHOLE_HOST]))) ?? 0
    const row: Row = { path: WHOLE_HOST, kind: 'purge', sequence }
    expect(await log.transact(pruneAndSelect(10))).toEqual([{ ...row, cursor: null }])
    await log.transact(recordCursor('here'))
    expect(await log.transact(pruneAndSelect(10))).toEqual([{ ...row, cursor: 'here' }])
    const newSequence = await log.transact(insertPurge([WHOLE_HOST]))
    await log.transact(recordDeleted([row]))
    expect(await log.transact(pruneAndSelect(10))).toEqual([
      { ...row, sequence: newSequence, cursor: null },
    ])
    await log.transact(recordDeleted([{ ...row, sequence: newSequence ?? 0 }]))
    expect(await log.transact(pruneAndSelect(10))).toEqual([])
  })
}
