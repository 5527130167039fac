import { parseHttpDate, toHttpDate } from '../../http/date.ts'
import { parseEtag } from '../../http/etag.ts'

export type From = 'edge' | 'store'
export type Part = { start: number; end: number }
export type Body = ReadableStream<Uint8Array> | null

/** What is known of an object; `size` is undefined when the store does not tell it. */
export type MediaObject = {
  contentType: string | undefined
  size: number | undefined
  etag: string | undefined
  /** An HTTP-date, left unparsed: most requests need no more than to pass it on. */
  lastModified: string | undefined
  date: Date
}

/** An object, or one part of it, with the bytes still unread. */
export type Found = {
  type: 'found'
  from: From
  object: MediaObject
  part: Part | undefined
  body: Body
}
export type Missing = { type: 'missing'; from: From; date: Date }
export type Failed = { type: 'failed'; status: 502 | 504; reason: string }
/** An entry of the edge cache that it took for what the reader has already. */
export type Unchanged = Omit<Found, 'type'> & { type: 'unchanged' }
/** A 416, or a 304 of something unknown: only the whole object can tell. */
export type Bodiless = { type: 'bodiless' }
export type Read = Found | Missing | Failed | Unchanged | Bodiless

/** A 200 or 206 as an object; undefined when a 206 does not say what it is a part of. */
export function parseFound(response: Response, from: From, date: Date): Found | undefined {
  const { status, headers, body } = response
  const range = status === 206 ? parseContentRange(headers) : undefined
  if (status === 206 && !range) return undefined
  const object = {
    contentType: headers.get('content-type') ?? undefined,
    size: range ? range.size : parseSize(headers),
    etag: parseEtag(headers.get('etag')),
    lastModified: parseLastModified(headers, from),
    date,
  }
  return { type: 'found', from, object, part: range?.part, body }
}

/** Whether the bytes are coded: the platform decodes them, so lengths and ranges do not hold. */
export function isCoded(headers: Headers): boolean {
  return (headers.get('content-encoding') ?? 'identity') !== 'identity'
}

// RFC 9110 §14.4.
function parseContentRange(headers: Headers): { part: Part; size: number } | undefined {
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '')
  if (!match) return undefined
  return { part: { start: Number(match[1]), end: Number(match[2]) }, size: Number(match[3]) }
}

function parseSize(headers: Headers): number | undefined {
  const length = headers.get('content-length') ?? ''
  return isCoded(headers) || !/^\d+$/.test(length) ? undefined : Number(length)
}

function parseLastModified(headers: Headers, from: From): string | undefined {
  const value = headers.get('last-modified')
  if (from === 'edge') return value ?? undefined
  const date = parseHttpDate(value)
  return date && toHttpDate(date)
}
