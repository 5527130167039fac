import { toCacheControl } from '../../../http/cache-control.ts'
import { toCacheTag } from '../../../http/cache-tag.ts'
import { isSamePart, type Part, parseExtent, toPartLength } from '../../../http/content-range.ts'
import { parseHostAndPath } from '../../../http/path.ts'
import type { Preconditions } from '../../../http/preconditions.ts'
import { toRange } from '../../../http/range.ts'
import { type Body, MISSING_TTL, type ObjectHead, parseHead, toValidators } from '../object.ts'
import type { SizedHead, Unit } from './cache-unit.ts'

/** The part of the Workers Cache API that is needed. */
export interface CacheApi {
  match(request: Request | string): Promise<Response | undefined>
  put(url: string, response: Response): Promise<void>
  delete(url: string): Promise<boolean>
}
export interface EdgeCacheDeps {
  cache: CacheApi
  /** Script name: the tag that all entries of this worker have. */
  name: string
  /** Lifetime of an object's entry in seconds. */
  maxAge: number
  now: () => number
}
export type Entry =
  | { type: 'missing'; storedAt: number }
  /** The metadata of an object in slices. */
  | { type: 'head'; head: SizedHead; storedAt: number }
  /** `status` and `part` as the cache applied the conditions: 200, 206, 304 or 416. */
  | { type: 'object'; status: number; head: ObjectHead; part?: Part; body: Body; storedAt: number }
export type EdgeCache = ReturnType<typeof createEdgeCache>

// When an entry was written. The site worker shares the cache: its entries do not have this header.
const STORED_AT = 'cms-media-stored'
const SLICED_SIZE = 'cms-media-size'

// URLs of sliced objects that an isolate remembers.
const REMEMBERED = 10_000

/**
 * Objects, slices, heads and missing objects in the edge cache of this data centre. Entries have the
 * object's metadata only: each release makes its own response headers from it.
 */
export function createEdgeCache({ cache, name, maxAge, now }: EdgeCacheDeps) {
  const sliced = new Set<string>()
  const remember = (url: string) => {
    if (sliced.size >= REMEMBERED) sliced.clear()
    sliced.add(url)
  }
  const put = async (url: string, response: Response) => {
    const { host, path } = parseHostAndPath(url)
    response.headers.set('cache-tag', `${await toCacheTag(host, path)},${name}`)
    response.headers.set(STORED_AT, String(now()))
    await cache.put(url, response)
  }

  return {
    /** Looks up an object, with the range and the conditions that the cache can apply itself. */
    async find(
      key: string,
      url: string,
      conditions: Preconditions | undefined,
    ): Promise<Entry | undefined> {
      // A head entry has no bytes to apply a range to.
      const headers = conditions && !sliced.has(url) && toConditions(conditions)
      const hit = await cache.match(headers ? new Request(url, { headers }) : url)
      const entry = hit && parseEntry(hit, key)
      if (entry?.type === 'head') remember(url)
      if (entry?.type !== 'object') await hit?.body?.cancel()
      return entry
    },
    /** Some bytes of a unit, by their positions in the object; undefined without an entry of this version. */
    async findPart(
      { url, head, part: { start, end } }: Unit,
      wanted: Part,
    ): Promise<Body | undefined> {
      const part = { start: wanted.start - start, end: wanted.end - start }
      const size = end - start + 1
      const isWhole = toPartLength(part) === size
      const range = toRange({ first: part.start, last: part.end })
      const hit = await cache.match(isWhole ? url : new Request(url, { headers: { range } }))
      if (!hit) return undefined
      const extent = parseExtent(hit.status, hit.headers)
      const isRight =
        hit.headers.has(STORED_AT) &&
        hit.headers.get('etag') === (head.etag ?? null) &&
        extent.size === size &&
        isSamePart(extent.part, isWhole ? undefined : part)
      if (isRight) return hit.body
      await hit.body?.cancel()
      return undefined
    },
    putUnit({ url, head }: Unit, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
      const headers = { ...toHeaders(head, maxAge), 'content-length': String(bytes.length) }
      return put(url, new Response(bytes, { headers }))
    },
    /** Stores the metadata of an object whose bytes are in slices. */
    putHead(url: string, head: SizedHead): Promise<void> {
      remember(url)
      const headers = { ...toHeaders(head, maxAge), [SLICED_SIZE]: String(head.size) }
      return put(url, new Response('', { headers }))
    },
    putMissing(url: string): Promise<void> {
      const headers = { 'cache-control': toCacheControl({ public: true, maxAge: MISSING_TTL }) }
      return put(url, new Response('', { status: 404, headers }))
    },
    delete: (url: string): Promise<boolean> => cache.delete(url),
  }
}

function toHeaders(head: ObjectHead, maxAge: number): Record<string, string> {
  return {
    'cache-control': toCacheControl({ public: true, maxAge }),
    'content-type': head.contentType,
    ...(head.contentDisposition && { 'content-disposition': head.contentDisposition }),
    ...(head.contentLanguage && { 'content-language': head.contentLanguage }),
    ...toValidators(head),
  }
}

/** Undefined for an entry of another worker. */
function parseEntry({ status, headers, body }: Response, key: string): Entry | undefined {
  const storedAt = Number(headers.get(STORED_AT))
  // A cache may leave the headers of an entry out of a 304 or 416.
  if (!storedAt && status !== 304 && status !== 416) return undefined
  if (status === 404) return { type: 'missing', storedAt }
  const slicedSize = Number(headers.get(SLICED_SIZE))
  if (slicedSize) {
    return { type: 'head', head: { ...parseHead(key, headers), size: slicedSize }, storedAt }
  }
  const { size, part } = parseExtent(status, headers)
  const head = parseHead(key, headers, size)
  return { type: 'object', status, head, ...(part && { part }), body, storedAt }
}

function toConditions({ range, ifNoneMatch, ifModifiedSince }: Preconditions) {
  if (!range && ifNoneMatch === null && ifModifiedSince === null) return undefined
  return {
    ...(range && { range: toRange(range) }),
    ...(ifNoneMatch !== null && { 'if-none-match': ifNoneMatch }),
    ...(ifModifiedSince !== null && { 'if-modified-since': ifModifiedSince }),
  }
}
