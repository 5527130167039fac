import { toCacheControl } from '../../http/cache-control.ts'
import { parseHttpDate, toHttpDate } from '../../http/date.ts'
import { parseEtag } from '../../http/etag.ts'
import { isVersioned } from './key.ts'
import { present, SHARED } from './present.ts'

export type From = 'edge' | 'store'
export type Body = ReadableStream<Uint8Array> | null

/** An object, or a part of it (206): headers as a reader gets them, bytes still unread. */
export type Found = {
  type: 'found'
  from: From
  status: 200 | 206
  headers: Headers
  body: Body
  /** The type that it was stored with, from which another build may make other headers. */
  storedType: string
  date: Date
}
export type Missing = { type: 'missing'; from: From; date: Date }
export type Failed = { type: 'failed'; status: 502 | 504; reason: string }
/** An entry of the edge cache that it took for what the reader has already. */
export type Unchanged = Omit<Found, 'type'> & { type: 'unchanged' }
/** A 416, or a 304 of something unknown: only the whole object can tell. */
export type Bodiless = { type: 'bodiless' }
export type Read = Found | Missing | Failed | Unchanged | Bodiless

/** Headers of an object under a key, from those that it is stored with. */
export type Finish = (key: string, storedType: string, stored: Headers) => Headers

/** What every answer with an object says, whoever asks; `maxAge` in seconds. */
export function createFinish(maxAge: number): Finish {
  const versioned = toCacheControl({ public: true, maxAge, immutable: true })
  const other = toCacheControl({ public: true, maxAge })
  return (key, storedType, stored) => {
    const cacheControl = isVersioned(key) ? versioned : other
    return new Headers({
      ...SHARED,
      'cache-control': cacheControl,
      ...toValidators(stored),
      ...toExtent(stored),
      ...present(key, storedType),
    })
  }
}

/** The size of the whole object in bytes, where the store tells it. */
export function toSize(headers: Headers): number | undefined {
  const part = parseContentRange(headers)
  if (part) return part.size
  const length = headers.get('content-length') ?? ''
  return isCoded(headers) || !/^\d+$/.test(length) ? undefined : Number(length)
}

/** RFC 9110 §14.4. */
export function parseContentRange(headers: Headers) {
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '')
  return match && { start: Number(match[1]), end: Number(match[2]), size: Number(match[3]) }
}

/** Whether the bytes are coded: the platform decodes them, so lengths and ranges do not hold. */
export function isCoded(headers: Headers): boolean {
  return (headers.get('content-encoding') ?? 'identity') !== 'identity'
}

function toValidators(stored: Headers): Record<string, string> {
  const etag = parseEtag(stored.get('etag'))
  const lastModified = parseHttpDate(stored.get('last-modified'))
  return {
    ...(etag && { etag }),
    ...(lastModified && { 'last-modified': toHttpDate(lastModified) }),
  }
}

// A chunked body, whose size nobody knows, is sent without; the platform then offers no ranges.
function toExtent(stored: Headers): Record<string, string> {
  const size = toSize(stored)
  if (size === undefined) return {}
  const part = parseContentRange(stored)
  if (!part) return { 'accept-ranges': 'bytes', 'content-length': String(size) }
  return {
    'accept-ranges': 'bytes',
    'content-length': String(part.end - part.start + 1),
    'content-range': `bytes ${part.start}-${part.end}/${size}`,
  }
}
