import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { toWeakEtag } from '../../http/etag.ts'
import type { Coding } from './content-encoding.ts'

/** A serialised response of `length` bytes. The `etag` is the same in every coding. A 204 has a `link` and no chunks. */
export interface CachedResponse {
  status: 200 | 204
  chunks: readonly Uint8Array<ArrayBuffer>[]
  length: number
  etag: string
  coding?: Coding
  link?: string
}

export interface ResponseCache {
  /** Returns the cached response of the key, or calls `load`. Concurrent callers share one load. */
  get(
    key: string,
    load: () => Promise<CachedResponse>,
  ): Promise<{ response: CachedResponse; hit: boolean }>
}

// Estimated bytes of an entry in addition to its body and key: the ETag and a few objects.
const ENTRY_OVERHEAD = 500
// A response larger than a quarter of the cache is not cached, because it would evict too many others.
const MIN_ENTRIES = 4

/** Creates an LRU cache that uses at most `maxBytes` of memory. Failed loads are not cached. */
export function createResponseCache(maxBytes: number): ResponseCache {
  const cached = new LRUCache<string, CachedResponse>({
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes / MIN_ENTRIES),
    sizeCalculation: ({ length }, key) => length + 2 * key.length + ENTRY_OVERHEAD,
  })
  const loading = new Map<string, Promise<CachedResponse>>()
  return {
    get: async (key, load) => {
      const response = cached.get(key)
      if (response) return { response, hit: true }
      return { response: await (loading.get(key) ?? startLoad(key, load)), hit: false }
    },
  }

  function startLoad(key: string, load: () => Promise<CachedResponse>): Promise<CachedResponse> {
    const response = loadAndCache(key, load).finally(() => loading.delete(key))
    loading.set(key, response)
    return response
  }

  async function loadAndCache(
    key: string,
    load: () => Promise<CachedResponse>,
  ): Promise<CachedResponse> {
    const response = await load()
    cached.set(key, response)
    return response
  }
}

/** Creates a 200. Each piece becomes a chunk in UTF-8, so that the whole text is not in memory twice. */
export async function toCachedResponse(
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<CachedResponse> {
  const digest = createHash('sha256')
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for await (const piece of pieces) {
    const chunk = Buffer.from(piece)
    digest.update(chunk)
    chunks.push(chunk)
    length += chunk.length
  }
  return { status: 200, chunks, length, etag: toEtag(digest.digest()) }
}

/** Creates the 204 for a resource that exists only in other languages, which `link` lists. */
export function toLinkResponse(link: string): CachedResponse {
  const etag = toEtag(createHash('sha256').update(link).digest())
  return { status: 204, chunks: [], length: 0, etag, link }
}

/** Compresses a response. The ETag stays the same because it is weak. */
export async function compress(response: CachedResponse, coding: Coding): Promise<CachedResponse> {
  const compressor = coding === 'br' ? createBrotliCompress(BROTLI) : createGzip()
  const chunks: Uint8Array<ArrayBuffer>[] = await Readable.from(response.chunks)
    .pipe(compressor)
    .toArray()
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  return { ...response, chunks, length, coding }
}

// Brotli of quality 4 takes the same time as gzip of level 6, and the result has the same size.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const toEtag = (digest: Buffer): string => toWeakEtag(digest.toString('base64url').slice(0, 22))
