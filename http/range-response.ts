import { isSamePart, type Part, parseExtent } from './content-range.ts'
import { type ByteRange, resolveRange } from './range.ts'

/**
 * Returns the size of the representation and the part in the body of a 200 or 206; no part means the whole. Undefined
 * for another status, and for a 206 that does not have the bytes of the requested range (RFC 9110 §15.3.7).
 */
export function parseRangeResponse(
  status: number,
  headers: Headers,
  range: ByteRange | undefined,
): { size: number | undefined; part: Part | undefined } | undefined {
  const { size, part } = parseExtent(status, headers)
  if (status === 200 || (part?.start === 0 && part.end + 1 === size))
    return { size, part: undefined }
  const requested = range && size !== undefined ? resolveRange(range, size) : undefined
  return requested?.type === 'range' && isSamePart(requested, part) ? { size, part } : undefined
}
