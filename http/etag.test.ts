import { expect, test } from 'vitest'
import { matchesAny, matchesStrongly, parseEtag, toWeakEtag } from './etag.ts'

test.each([
  ['"a"', '"a"', true],
  ['W/"a"', '"a"', true],
  ['"a"', 'W/"a"', true],
  ['"b"', '"a"', false],
  ['*', '"a"', true],
  [' * ', undefined, true],
  ['"a"', undefined, false],
  ['"x", W/"a" ,"z"', '"a"', true],
  ['"x,\t"a"', '"a"', false],
  ['"x,a"', '"x,a"', true],
  ['"x, a", "y"', '"x, a"', false],
  [',, "a",', '"a"', true],
  ['""', '""', true],
  ['a', '"a"', false],
  ['w/"a"', '"a"', false],
  ['"a" "b"', '"a"', false],
  ['"b", junk, "a"', '"a"', false],
  ['', '"a"', false],
  [`${' '.repeat(50_000)}x`, '"a"', false],
] as const)('If-None-Match %j matches %j: %j', (list, etag, expected) => {
  expect(matchesAny(list, etag)).toBe(expected)
})

test.each([
  ['"a"', '"a"', true],
  ['W/"a"', 'W/"a"', false],
  ['W/"a"', '"a"', false],
  ['a', 'a', false],
])('strong comparison of %s and %s: %j', (one, other, expected) => {
  expect(matchesStrongly(one, other)).toBe(expected)
})

test.each([
  ['"a"', '"a"'],
  ['W/"a"', 'W/"a"'],
  ['"a', undefined],
  ['"a"b"', undefined],
  [null, undefined],
])('the entity tag %j is parsed as %j', (value, expected) => {
  expect(parseEtag(value)).toBe(expected)
})

test('toWeakEtag creates weak tags, and rejects characters that entity tags cannot contain', () => {
  expect(toWeakEtag('abc')).toBe('W/"abc"')
  for (const opaque of ['a"b', 'a b', 'a\r\nb']) expect(() => toWeakEtag(opaque)).toThrow(TypeError)
})
