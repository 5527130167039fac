import { expect, test } from 'vitest'
import { parseContentRange } from './content-range.ts'

test.each([
  ['bytes 0-9/10', { start: 0, end: 9, size: 10 }],
  ['bytes 7-9/*', undefined],
  ['bytes */10', undefined],
  ['lines 0-9/10', undefined],
  [null, undefined],
])('Content-Range %s is parsed as %j', (header, expected) => {
  expect(parseContentRange(header)).toEqual(expected)
})
