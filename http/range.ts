import type { Validators } from './conditional.ts'
import { parseHttpDate } from './date.ts'
import { matchesStrongly } from './etag.ts'

/** Positions of the first and last byte, from 0, or the length of a suffix. */
export type ByteRange = { first: number; last?: number } | { suffix: number }
/** `none`: the Range is ignored. `end` is inclusive. */
export type ResolvedRange =
  | { type: 'none' }
  | { type: 'range'; start: number; end: number }
  | { type: 'unsatisfiable' }

const NONE: ResolvedRange = { type: 'none' }
const UNSATISFIABLE: ResolvedRange = { type: 'unsatisfiable' }

/** Parses a Range header and resolves it for a representation of `size` bytes. */
export function parseRange(header: string | null | undefined, size: number): ResolvedRange {
  const range = parseByteRange(header)
  return range ? resolveRange(range, size) : NONE
}

/** Parses one byte range; undefined for other units, several ranges and invalid values, which are ignored. */
export function parseByteRange(header: string | null | undefined): ByteRange | undefined {
  // RFC 9110 §14.2: a server may ignore Range, so several ranges get the whole representation.
  const match = /^bytes=[\t ]*(\d*)-(\d*)[\t ]*$/i.exec(header ?? '')
  const first = parsePosition(match?.[1])
  const last = parsePosition(match?.[2])
  if (first === undefined) return last === undefined ? undefined : { suffix: last }
  if (last === undefined) return { first }
  // RFC 9110 §14.1.1: a range that ends before it starts is invalid, so it is ignored.
  return last < first ? undefined : { first, last }
}

/** Creates the value of a Range header. */
export function toRange(range: ByteRange): string {
  return 'suffix' in range ? `bytes=-${range.suffix}` : `bytes=${range.first}-${range.last ?? ''}`
}

/** Resolves a range for a representation of `size` bytes (RFC 9110 §14.1.2). */
export function resolveRange(range: ByteRange, size: number): ResolvedRange {
  if ('suffix' in range) {
    if (range.suffix === 0) return UNSATISFIABLE
    // Content-Range cannot describe a suffix of an empty representation, so the Range is ignored.
    if (size === 0) return NONE
    return { type: 'range', start: Math.max(0, size - range.suffix), end: size - 1 }
  }
  if (range.first >= size) return UNSATISFIABLE
  return { type: 'range', start: range.first, end: Math.min(range.last ?? size, size - 1) }
}

/** Whether If-Range allows a range of the current representation; `date` is the Date of that representation. */
export function allowsRange(
  ifRange: string | null,
  current: Validators & { date?: Date },
): boolean {
  if (ifRange === null) return true
  // RFC 9110 §13.1.5: strong comparison for a tag, an exact match for a date.
  const since = parseHttpDate(ifRange)
  if (!since) return current.etag !== undefined && matchesStrongly(ifRange.trim(), current.etag)
  const { lastModified, date } = current
  // RFC 9110 §8.8.2.2: a Last-Modified is strong when it is a second or more older than the Date.
  const isStrong = lastModified && date && date.getTime() - lastModified.getTime() >= 1000
  return Boolean(isStrong) && lastModified?.getTime() === since.getTime()
}

// Limits the position, because `toRange` would print a larger integer in exponential notation.
function parsePosition(digits: string | undefined): number | undefined {
  return digits ? Math.min(Number(digits), Number.MAX_SAFE_INTEGER) : undefined
}
