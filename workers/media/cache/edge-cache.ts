import { toCacheControl } from '../../../http/cache-control.ts'
import { toCacheTag } from '../../../http/cache-tag.ts'
import { toValidatorHeaders } from '../../../http/conditional.ts'
import { isSamePart, type Part, parseExtent, toPartLength } from '../../../http/content-range.ts'
import { parseHostAndPath } from '../../../http/path.ts'
import type { ConditionalHeaders } from '../../../http/preconditions.ts'
import { toRange } from '../../../http/range.ts'
import type { Config } from '../env.ts'
import { type Body, MISSING_TTL, type ObjectHead, parseHead } from '../object.ts'
import type { CacheableObject, SizedHead, Unit } from './cache-unit.ts'

/** The part of the Workers Cache API that this worker uses. */
export interface CacheApi {
  match(request: Request | string): Promise<Response | undefined>
  put(url: string, response: Response): Promise<void>
  delete(url: string): Promise<boolean>
}
export interface EdgeCacheDeps extends Pick<Config, 'name' | 'maxAge'> {
  cache: CacheApi
  now: () => number
}
export type Entry =
  | { type: 'missing'; storedAt: number }
  /** The metadata of an object that is cached in slices. */
  | { type: 'head'; head: SizedHead; storedAt: number }
  /** The cache applied conditions and range. `storedAt` is 0 for a 304 or 416 without the entry's headers. */
  | { type: 'object'; status: number; head: ObjectHead; part?: Part; body: Body; storedAt: number }

// Time at which an entry was written, in milliseconds. Entries of the site worker do not have this header.
const STORED_AT = 'cms-media-stored'
// Size of an object that is cached in slices, in bytes. Only the entry with its metadata has this header.
const SLICED_SIZE = 'cms-media-size'
// Maximum number of URLs of sliced objects in an isolate's memory.
const MAX_SLICED_URLS = 10_000

/** The edge cache of this data centre: objects, slices, metadata (heads) and missing objects. */
export class EdgeCache {
  readonly #deps: EdgeCacheDeps
  readonly #slicedUrls = new Set<string>()

  constructor(deps: EdgeCacheDeps) {
    this.#deps = deps
  }

  /** Returns the entry of an object or slice. The cache applies the range and the conditions in `headers`. */
  async find(key: string, url: string, headers?: ConditionalHeaders): Promise<Entry | undefined> {
    // The entry of a sliced object has no bytes to apply a range to.
    const request = headers && !this.#slicedUrls.has(url) ? new Request(url, { headers }) : url
    const response = await this.#deps.cache.match(request)
    const entry = response && parseEntry(response, key)
    if (entry?.type === 'head') this.#rememberSliced(url)
    if (entry?.type !== 'object') await response?.body?.cancel()
    return entry
  }

  /** Returns bytes of a unit, by their positions in the object; undefined if this version is not cached. */
  async findPart({ url, head, part }: Unit, { start, end }: Part): Promise<Body | undefined> {
    const size = toPartLength(part)
    const requested = { start: start - part.start, end: end - part.start }
    const isWhole = toPartLength(requested) === size
    const range = { range: toRange({ first: requested.start, last: requested.end }) }
    const entry = await this.find(head.key, url, isWhole ? undefined : range)
    if (entry?.type !== 'object') return undefined
    const isSame = entry.storedAt && entry.head.etag === head.etag && entry.head.size === size
    if (isSame && isSamePart(entry.part, isWhole ? undefined : requested)) return entry.body
    await entry.body?.cancel()
    return undefined
  }

  putUnit({ url, head }: Unit, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const headers = { ...this.#toHeaders(head), 'content-length': String(bytes.length) }
    return this.#put(url, new Response(bytes, { headers }))
  }

  /** Stores the metadata of an object whose bytes are in slices. */
  putHead({ cacheUrl, head }: CacheableObject): Promise<void> {
    this.#rememberSliced(cacheUrl)
    const headers = { ...this.#toHeaders(head), [SLICED_SIZE]: String(head.size) }
    return this.#put(cacheUrl, new Response('', { headers }))
  }

  putMissing(url: string): Promise<void> {
    const headers = { 'cache-control': toCacheControl({ public: true, maxAge: MISSING_TTL }) }
    return this.#put(url, new Response('', { status: 404, headers }))
  }

  delete(url: string): Promise<boolean> {
    return this.#deps.cache.delete(url)
  }

  async #put(url: string, response: Response): Promise<void> {
    const { cache, name, now } = this.#deps
    const { host, path } = parseHostAndPath(url)
    response.headers.set('cache-tag', `${await toCacheTag(host, path)},${name}`)
    response.headers.set(STORED_AT, String(now()))
    await cache.put(url, response)
  }

  #rememberSliced(url: string): void {
    if (this.#slicedUrls.size >= MAX_SLICED_URLS) this.#slicedUrls.clear()
    this.#slicedUrls.add(url)
  }

  // Only metadata: the headers of a response are created on each hit, so a new release can change them.
  #toHeaders(head: ObjectHead): Record<string, string> {
    return {
      'cache-control': toCacheControl({ public: true, maxAge: this.#deps.maxAge }),
      'content-type': head.contentType,
      ...(head.contentDisposition && { 'content-disposition': head.contentDisposition }),
      ...(head.contentLanguage && { 'content-language': head.contentLanguage }),
      ...toValidatorHeaders(head),
    }
  }
}

/** Returns undefined for an entry of another worker. */
function parseEntry({ status, headers, body }: Response, key: string): Entry | undefined {
  const storedAt = Number(headers.get(STORED_AT))
  // A 304 or 416 of a cache may lack the headers of the entry.
  if (!storedAt && status !== 304 && status !== 416) return undefined
  if (status === 404) return { type: 'missing', storedAt }
  const size = Number(headers.get(SLICED_SIZE))
  if (size) return { type: 'head', head: { ...parseHead(key, headers), size }, storedAt }
  const extent = parseExtent(status, headers)
  const head = parseHead(key, headers, extent.size)
  return { type: 'object', status, head, ...(extent.part && { part: extent.part }), body, storedAt }
}
