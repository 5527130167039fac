import type { Step } from '../case.ts'
import type { SentRequest } from '../harness.ts'

/** The object of a case that declares none. */
export const TEXT = { body: '0123456789', contentType: 'text/plain' }
export const TEXT_MD5 = '781e5e245d69b566979b86e28d23f2c7'
export const LARGE = { body: '0123456789abcdef'.repeat(80_000), contentType: 'text/plain' }
export const MIB = 1024 * 1024
// Each block of 16 bytes contains its number, so that a test notices bytes of a wrong position.
const toNumberedBlocks = (bytes: number) => ({
  body: Array.from({ length: bytes / 16 }, (_, block) => String(block).padStart(16, '0')).join(''),
  contentType: 'video/mp4',
})
// Cached whole, and longer than the slice of 2 MiB that a first read requests.
export const TWO_READS = toNumberedBlocks(3 * MIB)
// Cached in slices of 2 MiB: four whole ones and a short one.
export const SLICED = toNumberedBlocks(9 * MIB)
// Values of Cache-Status.
export const HIT = /; hit; ttl=\d+$/
export const STORED = /; fwd=miss; fwd-status=200; stored$/
export const VALIDATORS = { etag: /^"[\da-f]{32}"$/, 'last-modified': / GMT$/ }
export const SLOW_DOWN = { type: 'status', status: 503, code: 'SlowDown' } as const
/** A failed read, which is not cached. */
export const FAILED: Step = { status: 502, headers: { 'cache-control': 'no-store' }, cached: false }
export const NO_LENGTH = { 'content-length': null }
// A store that ignores Range and sends no Content-Length.
export const WHOLE_WITHOUT_LENGTH = { headers: NO_LENGTH, ignoresRange: true } as const
export const WITHOUT_LENGTH_ONCE = { type: 'altered', ...WHOLE_WITHOUT_LENGTH, times: 1 } as const
export const withRange = (range: string, headers = {}): SentRequest => ({
  headers: { range, ...headers },
})

/** Expects the bytes `from` to `to` of TEXT. */
export const toRangeStep = (from: number, to: number, cacheStatus: RegExp): Step => ({
  status: 206,
  body: TEXT.body.slice(from, to + 1),
  headers: {
    'content-range': `bytes ${from}-${to}/10`,
    'content-length': String(to - from + 1),
    'accept-ranges': 'bytes',
    'cache-status': cacheStatus,
  },
})
