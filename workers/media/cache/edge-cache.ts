import { toCacheControl } from '../../../http/cache-control.ts'
import { toCacheTag } from '../../../http/cache-tag.ts'
import { isSamePart, type Part, parseExtent, toPartLength } from '../../../http/content-range.ts'
import { parseHostAndPath } from '../../../http/path.ts'
import type { Preconditions } from '../../../http/preconditions.ts'
import { toRange } from '../../../http/range.ts'
import { type Body, MISSING_TTL, type ObjectHead, parseHead, toValidators } from '../object.ts'
import type { Unit } from './unit.ts'

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
  /** Life of an object's entry in seconds. */
  maxAge: number
  now: () => number
}
/** `head`: the metadata of a sliced object. `inconclusive`: only a lookup without conditions can tell. */
export interface Entry {
  type: 'object' | 'head' | 'missing' | 'inconclusive'
  head: ObjectHead
  status: number
  part: Part | undefined
  body: Body
  storedAt: number
}
export type EdgeCache = ReturnType<typeof createEdgeCache>

// When an entry was written. The site worker shares the cache: entries without it are not ours.
const STORED_AT = 'cms-media-stored'
const SLICED_SIZE = 'cms-media-size'

// URLs of sliced objects that an isolate remembers.
const REMEMBERED = 10_000

/**
 * Objects, slices, heads and missing objects in the edge cache of this data centre. Entries have the
 * object's metadata only: each release makes from it what visitors see.
 */
export function createEdgeCache({ cache, name, maxAge, now }: EdgeCacheDeps) {
  const sliced = new Set<string>()

  const put = async (
    url: string,
    body: Uint8Array<ArrayBuffer> | '',
    status: number,
    headers: object,
  ) => {
    const { host, path } = parseHostAndPath(url)
    const marks = {
      'cache-tag': `${await toCacheTag(host, path)},${name}`,
      [STORED_AT]: String(now()),
    }
    await cache.put(url, new Response(body, { status, headers: { ...headers, ...marks } }))
  }
  const remember = (url: string) => {
    if (sliced.size >= REMEMBERED) sliced.clear()
    sliced.add(url)
  }

  return {
    /** Looks up an object, with the range and the conditions that the cache can apply by itself. */
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
      if (!entry) await hit?.body?.cancel()
      return entry
    },
    /** Bytes of a unit, positions counted from its start; null without an entry of this version. */
    async findPart({ url, head, part: { start, end } }: Unit, part: Part): Promise<Body> {
      const size = end - start + 1
      const range = toRange({ first: part.start, last: part.end })
      const isWhole = toPartLength(part) === size
      const hit = await cache.match(isWhole ? url : new Request(url, { headers: { range } }))
      if (!hit) return null
      const extent = parseExtent(hit.status, hit.headers)
      const isRight =
        hit.headers.has(STORED_AT) &&
        hit.headers.get('etag') === (head.etag ?? null) &&
        extent.size === size &&
        isSamePart(extent.part, isWhole ? undefined : part)
      if (isRight) return hit.body
      await hit.body?.cancel()
      return null
    },
    putUnit({ url, head }: Unit, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
      return put(url, bytes, 200, {
        ...toHeaders(head, maxAge),
        'content-length': String(bytes.length),
      })
    },
    /** Stores the metadata of an object whose bytes are in slices. */
    putHead(url: string, head: ObjectHead): Promise<void> {
      remember(url)
      return put(url, '', 200, { ...toHeaders(head, maxAge), [SLICED_SIZE]: String(head.size) })
    },
    putMissing: (url: string): Promise<void> =>
      put(url, '', 404, { 'cache-control': toCacheControl({ public: true, maxAge: MISSING_TTL }) }),
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

function parseEntry({ status, headers, body }: Response, key: string): Entry | undefined {
  const storedAt = Number(headers.get(STORED_AT))
  const slicedSize = headers.get(SLICED_SIZE)
  const { size, part } = parseExtent(status, headers)
  const head = parseHead(key, headers, slicedSize === null ? size : Number(slicedSize))
  const entry = { head, status, part, body, storedAt }
  if (status === 416 || (status === 304 && !storedAt)) return { ...entry, type: 'inconclusive' }
  if (!storedAt || (status === 206 && !part)) return undefined
  if (status === 404) return { ...entry, type: 'missing' }
  return { ...entry, type: slicedSize === null ? 'object' : 'head' }
}

function toConditions({ range, ifNoneMatch, ifModifiedSince }: Preconditions) {
  if (!range && ifNoneMatch === null && ifModifiedSince === null) return undefined
  return {
    ...(range && { range: toRange(range) }),
    ...(ifNoneMatch !== null && { 'if-none-match': ifNoneMatch }),
    ...(ifModifiedSince !== null && { 'if-modified-since': ifModifiedSince }),
  }
}
