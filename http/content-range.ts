/** A part of a representation of `size` bytes; both positions are inclusive. */
export interface ContentRange {
  start: number
  end: number
  size: number
}

/** Content-Range of a 206; undefined for another unit or an unknown size (RFC 9110 §14.4). */
export function parseContentRange(header: string | null): ContentRange | undefined {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header ?? '')
  const [, start, end, size] = range?.map(Number) ?? []
  if (start === undefined || end === undefined || size === undefined) return undefined
  return { start, end, size }
}
