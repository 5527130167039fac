import type { Part } from '../../../http/content-range.ts'
import type { ObjectHead } from '../object.ts'

const MIB = 1024 * 1024
/** Larger objects are cached in slices. */
export const WHOLE_LIMIT = 8 * MIB
export const SLICE_BYTES = 2 * MIB
// An invocation may send 10,000 subrequests (developers.cloudflare.com/workers/platform/limits/#subrequests).
// A slice takes up to five: a match, three attempts to read, and a put.
export const MAX_SLICED_BYTES = 2_000 * SLICE_BYTES

export type SizedHead = ObjectHead & { size: number }
/** An object of known size, and the key of its entry in the edge cache. */
export interface CacheableObject {
  cacheUrl: string
  head: SizedHead
}
export interface ObjectPart extends CacheableObject {
  part: Part
}
/** Bytes that are loaded and cached together: an object up to 8 MiB, or a slice of a larger one. */
export interface Unit extends ObjectPart {
  /** Key of the unit's entry in the edge cache. */
  url: string
}

/**
 * Returns the unit that contains a position of an object. The key of a slice has a query, so no
 * request of a visitor finds it: the query of a request is ignored.
 */
export function toUnit(object: CacheableObject, position: number): Unit {
  const { cacheUrl, head } = object
  const { size, etag = '' } = head
  if (size <= WHOLE_LIMIT) return { ...object, url: cacheUrl, part: { start: 0, end: size - 1 } }
  const index = Math.floor(position / SLICE_BYTES)
  const url = `${cacheUrl}?slice=${index}&etag=${encodeURIComponent(etag)}`
  const start = index * SLICE_BYTES
  return { ...object, url, part: { start, end: Math.min(start + SLICE_BYTES, size) - 1 } }
}
