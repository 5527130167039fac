/** Bytes `start` to `end` of a representation, inclusive. */
export interface Part {
  start: number
  end: number
}

/** A part of a representation of `size` bytes. */
export interface ContentRange extends Part {
  size: number
}

/** Parses the Content-Range of a 206; undefined for another unit or an unknown size (RFC 9110 §14.4). */
export function parseContentRange(header: string | null): ContentRange | undefined {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header ?? '')
  const [, start, end, size] = range?.map(Number) ?? []
  if (start === undefined || end === undefined || size === undefined) return undefined
  return { start, end, size }
}

/** Returns the size of the whole representation and, for a 206, the part in the body; undefined if not known. */
export function parseExtent(
  status: number,
  headers: Headers,
): { size?: number | undefined; part?: Part | undefined } {
  if (status !== 206) {
    const length = headers.get('content-length') ?? ''
    return /^\d+$/.test(length) ? { size: Number(length) } : {}
  }
  const { size, ...part } = parseContentRange(headers.get('content-range')) ?? {}
  return { size, part: 'start' in part ? part : undefined }
}

/** Creates the length and range headers of a representation of `size` bytes, or of a part (RFC 9110 §14.3, §14.4). */
export function toExtentHeaders(size: number, part: Part | undefined): Record<string, string> {
  return {
    'accept-ranges': 'bytes',
    'content-length': String(part ? toPartLength(part) : size),
    ...(part && { 'content-range': `bytes ${part.start}-${part.end}/${size}` }),
  }
}

export function toPartLength({ start, end }: Part): number {
  return end - start + 1
}

export function isSamePart(one: Part | undefined, other: Part | undefined): boolean {
  return one?.start === other?.start && one?.end === other?.end
}
