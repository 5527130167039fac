import { expect, test } from 'vitest'
import {
  encodeAllButUnreserved,
  parseHostAndPath,
  parseSegments,
  toCanonicalPath,
  withQuery,
} from './path.ts'

test.each([
  ['/', '/'],
  ['/a-slug', '/a-slug'],
  ['/a-slug/', '/a-slug'],
  ['//evil.example//x', '/evil.example/x'],
  ['/%61%2D%7e', '/a-~'],
  ['/caf%c3%a9', '/caf%C3%A9'],
  ['/café', '/caf%C3%A9'],
  ["/a+b@c:d;e=f,g!h'i(j)*k$l&m", "/a+b@c:d;e=f,g!h'i(j)*k$l&m"],
  ['/a%20b', '/a%20b'],
  ['/100%25', '/100%25'],
  ['/...', '/...'],
  ['/a?b', '/a%3Fb'],
])('the canonical form of %s is %s', (path, expected) => {
  expect(toCanonicalPath(path)).toBe(expected)
  expect(toCanonicalPath(expected)).toBe(expected)
})

test.each([
  '',
  'a',
  '/..',
  '/a/../b',
  '/a/./b',
  '/%2e%2e/b',
  '/.%2E/b',
  '/%252e%252e/b',
  '/a%2fb',
  '/a%2Fb',
  '/a%252fb',
  '/a\\b',
  '/a%5cb',
  '/a%00',
  '/a\u0000',
  '/a%0d%0aset-cookie:x',
  '/a%7f',
  '/a%C2%85',
  '/%c0%ae%c0%ae/b',
  '/%e0%80%af',
  '/%ed%a0%80',
  '/\ud800',
  '/a%',
  '/a%2',
  '/a%zz',
  '/%u002e',
])('%j has no canonical form', (path) => {
  expect(toCanonicalPath(path)).toBeUndefined()
})

test('parseSegments keeps empty segments', () => {
  expect(parseSegments('/a//b/')).toEqual(['a', '', 'b', ''])
})

test.each([
  ['https://host/a/../b?x=/y#z', 'host', '/a/../b'],
  ['https://HOST', 'host', '/'],
  ['https://host?x', 'host', '/'],
  ['http://host:8787/%2e%2e/b', 'host:8787', '/%2e%2e/b'],
  ['/no/url', '', '/'],
])('%s has the host "%s" and the path %s', (url, host, path) => {
  expect(parseHostAndPath(url)).toEqual({ host, path })
})

test.each([
  ['/a', '', '/a'],
  ['/a', '?', '/a'],
  ['/a', '?x=1&y', '/a?x=1&y'],
  ['/a?b=2', '?x=1', '/a?b=2&x=1'],
  ['/a?b=2#c', '?x=1', '/a?b=2&x=1#c'],
])('%s with the query "%s" is %s', (path, query, expected) => {
  expect(withQuery(path, query)).toBe(expected)
})

test('percent-encodes all but unreserved characters', () => {
  expect(encodeAllButUnreserved("a-b.c_d~e/f!g'h(i)j*k+ü")).toBe(
    'a-b.c_d~e%2Ff%21g%27h%28i%29j%2Ak%2B%C3%BC',
  )
})
