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
])('Accept-Encoding %j selects %j', (header, coding) => {
  expect(decideCoding(header, 2048)).toBe(coding)
})

test.each([
  ['a large body without the header', 'gzip', undefined, 1024 * 1024 + 1],
  ['a large body when only identity is accepted', undefined, 'identity', 1024 * 1024 + 1],
  ['a large body when br and gzip are excluded', undefined, 'br;q=0, gzip;q=0', 1024 * 1024 + 1],
  ['a small body', undefined, 'gzip, br', 1023],
] as const)('%s gets the coding %s', (_, coding, header, length) => {
  expect(decideCoding(header, length)).toBe(coding)
})
