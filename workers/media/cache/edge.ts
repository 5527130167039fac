import { toCacheControl } from '../../../http/cache-control.ts'
import { toRange } from '../../../http/range.ts'
import type { Wanted } from '../decide.ts'
import { type Body, type Found, parseHead, type Read, toValidators } from '../store/object.ts'

/** The part of the Workers Cache API that is needed. */
export type EdgeCache = {
  match(request: Request | string): Promise<Response | undefined>
  put(url: string, response: Response): Promise<void>
  delete(url: string): Promise<boolean>
}
/** `maxAge` is the life of an object's entry in seconds. */
export type EdgeOptions = { cache: EdgeCache; maxAge: number; now: () => number }
export type Edge = ReturnType<typeof createEdge>

/** Seconds for which an object that is not there stays so. */
export const MISSING_TTL = 60

// When an entry was written. The site worker shares the cache: what bears no mark was not written here.
const MARK = 'cms-media-stored'

/**
 * Objects in the edge cache of this data centre, with what is known of them and no more: each build
 * presents in its own way what another one has written, and a hit carries no needless headers.
 */
export function createEdge({ cache, maxAge, now }: EdgeOptions) {
  const distrusted = new Set<string>()

  const write = async (url: string, body: Body | Blob | '', status: number, headers: object) => {
    const response = new Response(body, { status, headers: { ...headers, [MARK]: String(now()) } })
    try {
      await cache.put(url, response)
    } catch (error) {
      // Whoever fills the body must not wait for a cache that has turned away.
      if (!response.bodyUsed) await response.body?.cancel()
      throw error
    }
  }

  return {
    /** Reads an entry as a request asks for it, or whole. */
    async read({ key, cacheUrl }: Wanted, asked?: Wanted): Promise<Read | undefined> {
      if (distrusted.has(cacheUrl)) return undefined
      const conditions = asked && toConditions(asked)
      const hit = await cache.match(
        conditions ? new Request(cacheUrl, { headers: conditions }) : cacheUrl,
      )
      const entry = hit && parseEntry(hit, key)
      if (!entry) await hit?.body?.cancel()
      return entry
    },
    write(url: string, found: Found, body: Body | Blob, size: number): Promise<void> {
      return write(url, body, 200, {
        'cache-control': toCacheControl({ public: true, maxAge }),
        'content-length': String(size),
        'content-type': found.storedType,
        ...toValidators(found),
      })
    },
    writeMissing(url: string): Promise<void> {
      return write(url, '', 404, {
        'cache-control': toCacheControl({ public: true, maxAge: MISSING_TTL }),
      })
    },
    /** Reads nothing more of an entry, until it is trusted again. */
    distrust: (url: string): unknown => distrusted.add(url),
    trust: (url: string): unknown => distrusted.delete(url),
    remove: (url: string) => cache.delete(url),
  }
}

function parseEntry({ status, headers, body }: Response, key: string): Read | undefined {
  const writtenAt = Number(headers.get(MARK))
  // What the cache makes of an entry by itself may bear no mark: the whole entry is looked at next.
  if (status === 416 || (status === 304 && !writtenAt)) return { type: 'bodiless' }
  if (!writtenAt) return undefined
  const common = { from: 'edge', date: new Date(writtenAt) } as const
  if (status === 404) return { type: 'missing', ...common }
  const head = parseHead(key, headers, status)
  if (status === 206 && !head.part) return undefined
  return { ...common, ...head, type: status === 304 ? 'unchanged' : 'found', body }
}

function toConditions(wanted: Wanted): Record<string, string> | undefined {
  const { range, ifNoneMatch, ifModifiedSince } = wanted
  if (!range && ifNoneMatch === null && ifModifiedSince === null) return undefined
  return {
    ...(range && { range: toRange(range) }),
    ...(ifNoneMatch !== null && { 'if-none-match': ifNoneMatch }),
    ...(ifModifiedSince !== null && { 'if-modified-since': ifModifiedSince }),
  }
}
