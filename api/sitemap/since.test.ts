import { expect, test } from 'vitest'
import { parseSince } from './since.ts'

test.each([
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ['2026-11-20T10:00:00', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20T10:00:00.250Z', '2026-11-20T10:00:00.250Z'],
  ['2026-11-20T10:00:00+02:00', '2026-11-20T08:00:00.000Z'],
  ['Fri, 20 Nov 2026 10:00:00 GMT', '2026-11-20T10:00:00.000Z'],
])('%s', (text, instant) => {
  expect(parseSince(text)?.toISOString()).toBe(instant)
})

test.each([
  '',
  'today',
  '20-11-2026',
  '2026-13-01',
  '2026-02-30',
  '2026-11-20T25:00:00Z',
  '1795168800',
])('%j is refused', (text) => {
  expect(() => parseSince(text)).toThrow()
})

test('nothing is no limit', () => {
  expect(parseSince(undefined)).toBeUndefined()
})
