import type { Part } from '../../../http/content-range.ts'
import type { ObjectHead } from '../object.ts'

const MIB = 1024 * 1024
/** Larger objects are cached in slices. */
export const WHOLE_LIMIT = 8 * MIB
export const SLICE_BYTES = 2 * MIB

export type SizedHead = ObjectHead & { size: number }
/** Bytes that are loaded and cached together: an object up to 8 MiB, or a slice of a larger one. */
export interface Unit {
  /** Key of its entry. */
  url: string
  head: SizedHead
  part: Part
}

/**
 * The unit that contains a position of an object. No request reaches the key of a slice, because
 * requests are looked up without their query.
 */
export function toUnit(cacheUrl: string, head: SizedHead, position: number): Unit {
  const { size, etag = '' } = head
  if (size <= WHOLE_LIMIT) return { url: cacheUrl, head, part: { start: 0, end: size - 1 } }
  const index = Math.floor(position / SLICE_BYTES)
  const url = `${cacheUrl}?slice=${index}&etag=${encodeURIComponent(etag)}`
  const start = index * SLICE_BYTES
  return { url, head, part: { start, end: Math.min(start + SLICE_BYTES, size) - 1 } }
}
