import { expect, test } from 'vitest'
import { HOSTILE_PATHS } from '../tests/hostile.ts'
import { isVersioned, parseKey, toCacheUrl } from './key.ts'

test.each([
  ['/cmp-media/a.jpg', 'a.jpg'],
  ['/cmp-media/a%20b+c%2Bd.jpg', 'a b+c+d.jpg'],
  ['/cmp-media/caf%C3%A9/%F0%9F%8C%8A.webp', 'café/🌊.webp'],
  ['/cmp-media/100%25.jpg', '100%.jpg'],
  ['/cmp-media/50%2520off%2521.jpg', '50%20off%21.jpg'],
  [`/cmp-media/${'k'.repeat(1024)}`, 'k'.repeat(1024)],
])('the path %s has the key %s', (path, key) => {
  expect(parseKey(path)).toBe(key)
})

test.each(HOSTILE_PATHS)('the path %s has no valid key', (path) => {
  expect(parseKey(path)).toBeUndefined()
})

test('the URL of a cache entry has the host and the canonical path', () => {
  const url = 'https://stage.localhost:8787/cmp-media/%C3%A9%20/x'
  expect(toCacheUrl('stage.localhost:8787', 'é /x')).toBe(url)
})

test('the URL of a cache entry encodes a percent sign of the key', () => {
  expect(toCacheUrl('a.example', '50%20off.jpg')).toBe('https://a.example/cmp-media/50%2520off.jpg')
})

test.each([
  ['css/harbour/2026-11.css', true],
  ['articles/quay-3f9a2c1b.jpg', true],
  ['app.0a1b2c3d4e5f.woff2', true],
  ['css/harbour.css', false],
  ['articles/quay-20261120.jpg', false],
  ['articles/quay-20261120a.jpg', false],
  ['articles/quay-20112026b.jpg', false],
  ['articles/quay-12dec2025.jpg', false],
  ['articles/quay-2026feb01.jpg', false],
  ['articles/quay-facade.jpg', false],
  ['articles/deadbeef/quay.jpg', false],
])('%s is versioned: %j', (key, expected) => {
  expect(isVersioned(key)).toBe(expected)
})
