import { expect, test } from 'vitest'
import { parseRangeResponse } from './range-response.ts'

const range = { first: 2, last: 4 }
const parse = (status: number, headers: Record<string, string>) =>
  parseRangeResponse(status, new Headers(headers), range)

test.each([
  [200, { 'content-length': '10' }, { size: 10, part: undefined }],
  [200, {}, { size: undefined, part: undefined }],
  [206, { 'content-range': 'bytes 2-4/10' }, { size: 10, part: { start: 2, end: 4 } }],
  [206, { 'content-range': 'bytes 2-3/4' }, { size: 4, part: { start: 2, end: 3 } }],
  [206, { 'content-range': 'bytes 0-9/10' }, { size: 10, part: undefined }],
  [206, { 'content-range': 'bytes 2-3/10' }, undefined],
  [206, { 'content-range': 'bytes 2-4/*' }, undefined],
  [206, {}, undefined],
  [416, { 'content-range': 'bytes */10' }, undefined],
])(
  'the response to bytes=2-4 with status %i and headers %j is parsed as %j',
  (status, headers, expected) => {
    expect(parse(status, headers as Record<string, string>)).toEqual(expected)
  },
)
