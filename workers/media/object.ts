import type { Part } from '../../http/content-range.ts'
import { parseEtag } from '../../http/etag.ts'
import type { StoredFile } from '../../http/representation-headers.ts'

/** Metadata of an object, from the headers of the store or of a cache entry. */
export interface ObjectHead extends StoredFile {
  etag: string | undefined
  /** An HTTP-date (RFC 9110 §5.6.7). */
  lastModified: string | undefined
  /** Bytes of the whole object; undefined for a body of unknown length. */
  size: number | undefined
  /** Whether the store's Cache-Control forbids shared caches to store the object. */
  isPrivate: boolean
}
export type Body = ReadableStream<Uint8Array> | null

/** `storedAt`: when the store responded or the entry was written, in ms since 1970; 0 for an uncached 404. */
export type ReadResult =
  | { type: 'found'; head: ObjectHead; part: Part | undefined; body: Body; storedAt: number }
  | { type: 'not-modified' | 'unsatisfiable'; head: ObjectHead; storedAt: number }
  | { type: 'missing'; storedAt: number }
  /** `reason` is for the log only, because it may contain text of the store. */
  | { type: 'failed'; status: 502 | 504; reason: string }

/** Lifetime of a 404 in caches, in seconds. */
export const MISSING_TTL = 60

/** Reads the metadata of an object from headers. `isPrivate` is false, as in every cache entry. */
export function parseHead(key: string, headers: Headers, size?: number): ObjectHead {
  return {
    key,
    contentType: headers.get('content-type') ?? '',
    contentDisposition: headers.get('content-disposition') ?? '',
    contentLanguage: headers.get('content-language') ?? '',
    etag: parseEtag(headers.get('etag')),
    lastModified: headers.get('last-modified') ?? undefined,
    size,
    isPrivate: false,
  }
}
