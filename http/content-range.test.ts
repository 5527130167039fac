import { expect, test } from 'vitest'
import { parseContentRange, toExtentHeaders } from './content-range.ts'

test.each([
  ['bytes 0-9/10', { start: 0, end: 9, size: 10 }],
  ['bytes 7-9/*', undefined],
  ['bytes */10', undefined],
  ['lines 0-9/10', undefined],
  [null, undefined],
])('Content-Range %s is parsed as %j', (header, expected) => {
  expect(parseContentRange(header)).toEqual(expected)
})

test.each([
  [undefined, { 'content-length': '10' }],
  [
    { start: 2, end: 4 },
    { 'content-length': '3', 'content-range': 'bytes 2-4/10' },
  ],
])('the length and range headers for the part %j of ten bytes are %j', (part, headers) => {
  expect(toExtentHeaders(10, part)).toEqual({ 'accept-ranges': 'bytes', ...headers })
})
