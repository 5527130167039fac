import { expect, test } from 'vitest'
import { decideCoding } from './content-encoding.ts'

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['*', 'br'],
  ['*;q=0, gzip', 'gzip'],
  ['gzip;q=nonsense', undefined],
  ['br ; q=0.8', 'br'],
])('Accept-Encoding %j is answered in %j', (header, coding) => {
  expect(decideCoding(header)).toBe(coding)
})
