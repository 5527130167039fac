import { expect, test } from 'vitest'
import { toSortKey } from './queries.ts'

test.each([
  ['2026-01-01T00:00:00.000Z', Date.UTC(2026)],
  ['1970-01-01T00:00:00.000Z', 0],
  ['-infinity', Date.parse('0001-01-01T00:00:00Z')],
])('the sort key of an entry published at %s begins with %d', (published_at, milliseconds) => {
  const entry = { id: 7, path: '/a', language: 'en', published_at, updated_at: published_at }
  expect(toSortKey(entry)).toEqual([milliseconds, 7])
})
