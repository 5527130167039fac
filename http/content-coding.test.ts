import { expect, test } from 'vitest'
import { classifyContentCoding } from './content-coding.ts'

test.each([
  [null, 'plain'],
  ['aws-chunked', 'plain'],
  ['GZIP', 'decoded'],
  ['br', 'decoded'],
  ['zstd', 'unreadable'],
  ['aws-chunked,gzip', 'unreadable'],
])('the Content-Encoding %j is classified as %s', (header, expected) => {
  expect(classifyContentCoding(header)).toBe(expected)
})
