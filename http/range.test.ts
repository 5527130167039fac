import { expect, test } from 'vitest'
import { allowsRange, parseByteRange, parseRange, toRange } from './range.ts'

test.each([
  ['bytes=0-0', 10, [0, 0]],
  ['bytes=0-', 10, [0, 9]],
  ['bytes=2-4', 10, [2, 4]],
  ['Bytes=2-4', 10, [2, 4]],
  ['bytes= 2-4 ', 10, [2, 4]],
  ['bytes=2-99', 10, [2, 9]],
  [`bytes=2-${'9'.repeat(400)}`, 10, [2, 9]],
  ['bytes=-3', 10, [7, 9]],
  ['bytes=-99', 10, [0, 9]],
  ['bytes=10-', 10, 'unsatisfiable'],
  [`bytes=${'9'.repeat(400)}-`, 10, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=-1', 0, 'none'],
  ['bytes=4-2', 10, 'none'],
  ['bytes=-', 10, 'none'],
  ['bytes=', 10, 'none'],
  ['bytes=0-1,3-4', 10, 'none'],
  ['bytes=1e1-', 10, 'none'],
  ['bytes=+1-2', 10, 'none'],
  ['bytes=0x1-2', 10, 'none'],
  ['bytes 0-1/10', 10, 'none'],
  ['items=0-1', 10, 'none'],
  ['bytes=0-1\n', 10, 'none'],
  [null, 10, 'none'],
] as const)('the Range %j of %d bytes is resolved as %j', (header, size, expected) => {
  const range =
    typeof expected === 'string'
      ? { type: expected }
      : { type: 'range', start: expected[0], end: expected[1] }
  expect(parseRange(header, size)).toEqual(range)
})

const lastModified = new Date('2026-11-20T10:00:00Z')
const later = new Date('2026-11-20T10:00:01Z')
const lastModifiedDate = 'Fri, 20 Nov 2026 10:00:00 GMT'

test.each([
  [null, {}, true],
  ['"a"', { etag: '"a"' }, true],
  ['"b"', { etag: '"a"' }, false],
  ['W/"a"', { etag: 'W/"a"' }, false],
  ['"a"', {}, false],
  [lastModifiedDate, { lastModified, date: later }, true],
  [lastModifiedDate, { lastModified, date: lastModified }, false],
  [lastModifiedDate, { lastModified }, false],
  ['Fri, 20 Nov 2026 10:00:01 GMT', { lastModified, date: later }, false],
  ['Fri, 20 Nov 2026 10:00:01 GMT', {}, false],
  ['soon', { etag: 'soon' }, false],
])('If-Range %j allows a range of %j: %j', (ifRange, current, expected) => {
  expect(allowsRange(ifRange, current)).toBe(expected)
})

test.each([
  ['bytes=0-', 'bytes=0-'],
  ['BYTES= 1-2', 'bytes=1-2'],
  ['bytes=-007', 'bytes=-7'],
  [`bytes=${'9'.repeat(400)}-`, 'bytes=9007199254740991-'],
])('%s is normalised to %s', (header, expected) => {
  const range = parseByteRange(header)
  expect(range && toRange(range)).toBe(expected)
})
