import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  covers,
  dropBefore,
  EMPTY_RECORD,
  isVoid,
  mergeRecords,
  type PurgeRecord,
} from './record.ts'

const T = 1_000_000
const record: PurgeRecord = { floor: T, paths: { '/a': T + 5000 } }

describe('an entry is void', () => {
  test.each([
    ['begun long before the floor', '/b', T - 1, T - 1, true],
    ['begun within the margin of clocks', '/b', T + 999, T + 999, true],
    ['begun after the margin', '/b', T + 1000, T + 1000, false],
    ['with settings from before the floor', '/b', T + 1000, T - 1, true],
    ['begun before its path was purged', '/a', T + 4000, T + 4000, true],
    ['begun after its path was purged', '/a', T + 6000, T + 4000, false],
    ['that has no path', undefined, T + 1000, T + 1000, false],
  ])('%s', (_, path, at, settingsAt, expected) => {
    expect(isVoid(record, path, { at, settingsAt })).toBe(expected)
  })

  test('never under an empty record', () => {
    expect(isVoid(EMPTY_RECORD, '/a', { at: 0, settingsAt: 0 })).toBe(false)
  })
})

const records = fc.record({
  floor: fc.integer({ min: 0, max: 50 }),
  paths: fc.dictionary(fc.constantFrom('/a', '/b', '/c'), fc.integer({ min: 0, max: 50 })),
})

describe('merging', () => {
  test('voids what either one voids, in any order', () => {
    const entries = fc.record({
      at: fc.integer({ max: 2000 }),
      settingsAt: fc.integer({ max: 2000 }),
    })
    fc.assert(
      fc.property(records, records, entries, fc.constantFrom('/a', '/b'), (one, two, at, path) => {
        const merged = mergeRecords(one, two)
        expect(merged).toEqual(mergeRecords(two, one))
        expect(covers(merged, one) && covers(merged, two)).toBe(true)
        if (isVoid(one, path, at) || isVoid(two, path, at))
          expect(isVoid(merged, path, at)).toBe(true)
      }),
    )
  })

  test('makes the oldest of more than 1,000 paths the floor', () => {
    const paths = Object.fromEntries(Array.from({ length: 1003 }, (_, i) => [`/${i}`, T + i]))
    const merged = mergeRecords(EMPTY_RECORD, { floor: 0, paths })
    expect(merged.floor).toBe(T + 2)
    expect(Object.keys(merged.paths)).toHaveLength(1000)
    expect(covers(merged, { floor: 0, paths })).toBe(true)
  })
})

test('old paths are dropped, the floor stays', () => {
  expect(dropBefore({ floor: 7, paths: { '/a': 10, '/b': 20 } }, 15)).toEqual({
    floor: 7,
    paths: { '/b': 20 },
  })
})
