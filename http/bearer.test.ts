import { expect, test } from 'vitest'
import { isSameSecret, parseBearer, sha256Hex } from './bearer.ts'

test.each([
  ['Bearer abc', 'abc'],
  ['bearer  abc', 'abc'],
  [' BEARER a.b-c_d~e+f/g== ', 'a.b-c_d~e+f/g=='],
  ['Bearer', undefined],
  ['Bearer ', undefined],
  ['Bearer a b', undefined],
  ['Bearer\tabc', undefined],
  ['Bearerabc', undefined],
  ['Basic abc', undefined],
  ['Bearer abç', undefined],
  [null, undefined],
])('the token of %j is %j', (header, expected) => {
  expect(parseBearer(header)).toBe(expected)
})

test.each([
  ['a secret', true],
  ['a Secret', false],
  ['a secre', false],
  ['a secret ', false],
  ['', false],
])('"a secret" equals %j: %j', async (given, expected) => {
  expect(await isSameSecret(given, 'a secret')).toBe(expected)
})

test('sha256Hex returns the known SHA-256 of the empty text', async () => {
  const expected = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  expect(await sha256Hex('')).toBe(expected)
})
