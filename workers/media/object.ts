import type { Part } from '../../http/content-range.ts'
import { parseEtag } from '../../http/etag.ts'
import type { StoredFile } from '../../http/representation-headers.ts'

/** Metadata of an object, known before any byte of it is read. */
export interface ObjectHead extends StoredFile {
  etag: string | undefined
  /** An HTTP-date (RFC 9110 §5.6.7). */
  lastModified: string | undefined
  /** Bytes of the whole object; undefined for a body of unknown length. */
  size: number | undefined
  /** True if its Cache-Control forbids shared caches to store it. */
  isPrivate: boolean
}
export type Body = ReadableStream<Uint8Array> | null

/** Result of reading an object; `storedAt` is when the store sent it, in milliseconds. */
export type ReadResult =
  | { type: 'found'; head: ObjectHead; part: Part | undefined; body: Body; storedAt: number }
  | { type: 'not-modified' | 'unsatisfiable'; head: ObjectHead; storedAt: number }
  | { type: 'missing'; storedAt: number }
  /** `reason` is for the log only, because it may contain text of the store. */
  | { type: 'failed'; status: 502 | 504; reason: string }

/** Seconds for which a missing object stays missing. */
export const MISSING_TTL = 60

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
