import type { Step } from '../case.ts'
import type { Send } from '../harness.ts'

export const TEXT = { body: '0123456789', contentType: 'text/plain' }
// Too large to be held in memory until it is whole.
export const LARGE = { body: '0123456789abcdef'.repeat(80_000), contentType: 'text/plain' }
export const HIT = /; hit; ttl=\d+$/
export const STORED = /; fwd=miss; fwd-status=200; stored$/
export const VALIDATORS = { etag: /^"[\da-f]{32}"$/, 'last-modified': / GMT$/ }
export const SLOW_DOWN = { type: 'status', status: 503, code: 'SlowDown' } as const
export const FAILED: Step = { status: 502, headers: { 'cache-control': 'no-store' }, cached: false }
export const UNTOLD = { 'content-length': null }
export const RANGE = (range: string, headers = {}): Send => ({ headers: { range, ...headers } })

export const range206 = (from: number, to: number, cacheStatus: RegExp): Step => ({
  status: 206,
  body: TEXT.body.slice(from, to + 1),
  headers: {
    'content-range': `bytes ${from}-${to}/10`,
    'content-length': String(to - from + 1),
    'accept-ranges': 'bytes',
    'cache-status': cacheStatus,
  },
})
