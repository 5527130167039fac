import { expect, test } from 'vitest'
import { parseHttpDate, toHttpDate } from './date.ts'

const NOW = Date.parse('2026-11-20T00:00:00Z')

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
  ['Wed Nov 16 08:49:37 1994', '1994-11-16T08:49:37.000Z'],
  ['Saturday, 01-Jan-76 00:00:00 GMT', '2076-01-01T00:00:00.000Z'],
  ['Saturday, 01-Jan-77 00:00:00 GMT', '1977-01-01T00:00:00.000Z'],
  ['Thu, 29 Feb 2024 23:59:60 GMT', '2024-03-01T00:00:00.000Z'],
])('%s is parsed as %s', (value, expected) => {
  expect(parseHttpDate(value, NOW)?.toISOString()).toBe(expected)
})

test.each([
  [null],
  [''],
  ['yesterday'],
  ['1994-11-06T08:49:37Z'],
  ['Sun, 06 Nov 1994 08:49:37 UTC'],
  ['sun, 06 nov 1994 08:49:37 gmt'],
  ['Sun, 6 Nov 1994 08:49:37 GMT'],
  ['Sun, 31 Feb 2026 08:49:37 GMT'],
  ['Sun, 06 Nov 1994 24:00:00 GMT'],
  ['Sun, 06 Nov 1994 08:60:00 GMT'],
  ['Sun, 06 Nov 1994 08:49:61 GMT'],
  ['Sun, 06 Nov 1994 08:49:37 GMT, Mon'],
  ['784111777'],
])('%j is not an HTTP-date', (value) => {
  expect(parseHttpDate(value, NOW)).toBeUndefined()
})

test('an HTTP-date that toHttpDate writes is parsed as the same instant', () => {
  const date = new Date('2026-11-20T06:07:08Z')
  expect(toHttpDate(date)).toBe('Fri, 20 Nov 2026 06:07:08 GMT')
  expect(parseHttpDate(toHttpDate(date))).toEqual(date)
})
