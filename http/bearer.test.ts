import { expect, test } from 'vitest'
import { matchesDigest, parseBearer, sha256Hex } from './bearer.ts'

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
])('%j', (header, expected) => {
  expect(parseBearer(header)).toBe(expected)
})

test('matches any of several digests, and nothing else', async () => {
  const digests = await Promise.all(['first secret', 'second secret'].map(sha256Hex))
  expect(await matchesDigest('second secret', digests)).toBe(true)
  expect(await matchesDigest('first secret', digests)).toBe(true)
  expect(await matchesDigest('third secret', digests)).toBe(false)
  expect(await matchesDigest('', digests)).toBe(false)
  expect(await matchesDigest('first secret', [])).toBe(false)
  expect(await matchesDigest('first secret', [digests[0]?.slice(0, 8) ?? '', ''])).toBe(false)
})

test('hashes UTF-8', async () => {
  const expected = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  expect(await sha256Hex('')).toBe(expected)
})
