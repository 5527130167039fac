import { expect, test } from 'vitest'
import { toCacheStatus } from './cache-status.ts'

test.each([
  ['edge', { hit: true, ttl: 12.7 }, 'edge; hit; ttl=12'],
  ['edge', { hit: true, ttl: -30.2, detail: 'kv' }, 'edge; hit; ttl=-30; detail=kv'],
  ['edge', { fwd: 'miss', fwdStatus: 200, stored: true }, 'edge; fwd=miss; fwd-status=200; stored'],
  ['an edge', { detail: 'a "b"\r\nc: d\\' }, '"an edge"; detail="a \\"b\\"??c: d\\\\"'],
  ['edge', { hit: false, collapsed: true, key: 'k' }, 'edge; collapsed; key="k"'],
] as const)('the Cache-Status of the cache %j for %j is %s', (cache, status, expected) => {
  expect(toCacheStatus(cache, status)).toBe(expected)
})
