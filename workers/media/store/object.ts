import { parseEtag } from '../../../http/etag.ts'

type From = 'edge' | 'store'
export type Body = ReadableStream<Uint8Array> | null

/** What is known of an object before any byte of it is read. */
export type Head = {
  key: string
  /** The media type that it was stored with; it may be empty, or none. */
  storedType: string
  etag: string | undefined
  /** An HTTP-date (RFC 9110 §5.6.7). */
  lastModified: string | undefined
  /** Bytes of the whole object, where that is told. */
  size: number | undefined
  /** The part of it that was read, where it is not the whole; both ends are inclusive. */
  part: Part | undefined
}
type Part = { start: number; end: number }

/**
 * An object, or a part of it; `date` is when the store gave it. Its bytes are unread, but for those
 * of an object of unknown size that have `begun` it.
 */
export type Found = Head & {
  type: 'found'
  from: From
  begun?: Uint8Array[]
  body: Body
  date: Date
}
type Missing = { type: 'missing'; from: From; date: Date }
export type Failed = { type: 'failed'; status: 502 | 504; reason: string }
/** An entry of the edge cache that it took for what the reader has already. */
export type Unchanged = Omit<Found, 'type'> & { type: 'unchanged' }
/** A 416, or a 304 of something unknown: only the whole object can tell. */
export type Bodiless = { type: 'bodiless' }
export type Read = Found | Missing | Failed | Unchanged | Bodiless

/** What a store, or the edge cache, tells of an object by the head of an answer. */
export function parseHead(key: string, headers: Headers, status: number): Head {
  return {
    key,
    storedType: headers.get('content-type') ?? '',
    etag: parseEtag(headers.get('etag')),
    lastModified: headers.get('last-modified') ?? undefined,
    ...parseExtent(headers, status),
  }
}

/** ETag and Last-Modified, where they are known. */
export function toValidators({ etag, lastModified }: Head): Record<string, string> {
  return {
    ...(etag && { etag }),
    ...(lastModified && { 'last-modified': lastModified }),
  }
}

/** Bytes of the body, where that is told. */
export function toLength({ size, part }: Pick<Head, 'size' | 'part'>): number | undefined {
  return part ? part.end - part.start + 1 : size
}

// RFC 9110 §14.4: Content-Range tells of a part in a 206 alone.
function parseExtent(headers: Headers, status: number): Pick<Head, 'size' | 'part'> {
  if (status === 206) {
    const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '')
    const [, start, end, size] = range?.map(Number) ?? []
    if (start === undefined || end === undefined) return { size: undefined, part: undefined }
    return { size, part: { start, end } }
  }
  const length = headers.get('content-length') ?? ''
  return { size: /^\d+$/.test(length) ? Number(length) : undefined, part: undefined }
}
