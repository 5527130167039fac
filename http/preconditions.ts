import { type Conditions, decideConditional } from './conditional.ts'
import type { Part } from './content-range.ts'
import { parseHttpDate } from './date.ts'
import { allowsRange, type ByteRange, resolveRange, toRange } from './range.ts'

/** Precondition and range headers of a request. */
export interface Preconditions extends Conditions {
  method: 'GET' | 'HEAD'
  ifRange: string | null
  /** Undefined for a HEAD (RFC 9110 §14.2) and for a Range that is ignored. */
  range: ByteRange | undefined
}
/** Unparsed validators of a representation, and its size if known. */
export interface Representation {
  etag: string | undefined
  /** An HTTP-date (RFC 9110 §5.6.7). */
  lastModified: string | undefined
  size: number | undefined
}
export type PreconditionOutcome =
  | { type: 'not-modified' }
  | { type: 'unsatisfiable' }
  /** Without a part, the whole representation is selected. */
  | { type: 'selected'; part: Part | undefined }

/**
 * Decides which bytes of a representation a request gets: preconditions, then If-Range, then Range
 * (RFC 9110 §13.2.2). `receivedAt` is when the representation was received, in milliseconds since 1970.
 */
export function evaluatePreconditions(
  request: Preconditions,
  representation: Representation,
  receivedAt: number,
): PreconditionOutcome {
  if (isNotModified(request, representation)) return { type: 'not-modified' }
  const { range, ifRange } = request
  const { etag, size } = representation
  if (!range || size === undefined) return { type: 'selected', part: undefined }
  if (ifRange !== null) {
    const lastModified = parseHttpDate(representation.lastModified)
    const current = { etag, lastModified, date: new Date(receivedAt) }
    if (!allowsRange(ifRange, current)) return { type: 'selected', part: undefined }
  }
  return applyRange(range, size)
}

export type ConditionalHeaders = Record<string, string>

/** Creates the headers Range, If-None-Match and If-Modified-Since of a request; undefined if it has none of them. */
export function toConditionalHeaders({
  range,
  ifNoneMatch,
  ifModifiedSince,
}: Preconditions): ConditionalHeaders | undefined {
  if (!range && ifNoneMatch === null && ifModifiedSince === null) return undefined
  return {
    ...(range && { range: toRange(range) }),
    ...(ifNoneMatch !== null && { 'if-none-match': ifNoneMatch }),
    ...(ifModifiedSince !== null && { 'if-modified-since': ifModifiedSince }),
  }
}

function isNotModified(request: Preconditions, { etag, lastModified }: Representation): boolean {
  if (request.ifNoneMatch === null && request.ifModifiedSince === null) return false
  // RFC 9110 §13.1.3: If-Modified-Since is ignored when If-None-Match is present.
  const usesDate = request.ifNoneMatch === null
  const validators = { etag, lastModified: usesDate ? parseHttpDate(lastModified) : undefined }
  return decideConditional({ ...request, ...validators }) === 'not-modified'
}

function applyRange(range: ByteRange, size: number): PreconditionOutcome {
  const part = resolveRange(range, size)
  if (part.type === 'unsatisfiable') return part
  if (part.type === 'none') return { type: 'selected', part: undefined }
  return { type: 'selected', part: { start: part.start, end: part.end } }
}
