import { expect, test } from 'vitest'
import { toCacheControl } from './cache-control.ts'
import { toCacheStatus } from './cache-status.ts'
import { toServerTiming } from './server-timing.ts'

test.each([
  [{ public: true, maxAge: 604800, immutable: true }, 'public, max-age=604800, immutable'],
  [{ private: true, noStore: true }, 'private, no-store'],
  [{ public: true, maxAge: 0, mustRevalidate: true }, 'public, max-age=0, must-revalidate'],
  [
    { staleWhileRevalidate: 600.9, sMaxage: 300, public: true, immutable: false },
    'public, s-maxage=300, stale-while-revalidate=600',
  ],
  [{ maxAge: -5 }, 'max-age=0'],
])('the Cache-Control of %j is %s', (directives, expected) => {
  expect(toCacheControl(directives)).toBe(expected)
})

test.each([
  ['edge', { hit: true, ttl: 12.7 }, 'edge; hit; ttl=12'],
  ['edge', { hit: true, ttl: -30.2, detail: 'kv' }, 'edge; hit; ttl=-30; detail=kv'],
  ['edge', { fwd: 'miss', fwdStatus: 200, stored: true }, 'edge; fwd=miss; fwd-status=200; stored'],
  ['an edge', { detail: 'a "b"\r\nc: d\\' }, '"an edge"; detail="a \\"b\\"??c: d\\\\"'],
  ['edge', { hit: false, collapsed: true, key: 'k' }, 'edge; collapsed; key="k"'],
] as const)('the Cache-Status of the cache %j for %j is %s', (cache, status, expected) => {
  expect(toCacheStatus(cache, status)).toBe(expected)
})

test.each([
  [[{ name: 'store', duration: 12.345 }, { name: 'total' }], 'store;dur=12.3, total'],
  [[{ name: 'a b', duration: 0, description: 'x"\n' }], 'a_b;dur=0;desc="x\\"?"'],
  [[], ''],
])('the Server-Timing of %j is %j', (timings, expected) => {
  expect(toServerTiming(timings)).toBe(expected)
})
