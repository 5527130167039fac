import { toCacheControl } from '../../http/cache-control.ts'
import { toRange } from '../../http/range.ts'
import type { Wanted } from './decide.ts'
import { type Body, type MediaObject, parseFound, type Read } from './object.ts'

/** The part of the Workers Cache API that is needed. */
export type EdgeCache = {
  match(request: Request): Promise<Response | undefined>
  put(url: string, response: Response): Promise<void>
  delete(url: string): Promise<boolean>
}
export type Edge = {
  /** Reads an entry as a request asks for it, or whole. */
  read(url: string, asked?: Wanted): Promise<Read | undefined>
  write(url: string, object: MediaObject, body: Body): Promise<void>
  writeMissing(url: string): Promise<void>
  remove(url: string): Promise<unknown>
}

/** Seconds for which an object that is not there stays so. */
export const MISSING_TTL = 60

// The site worker shares the cache: an entry without this header was not written here, so it is none.
const STORED_AT = 'cms-media-stored'

/** Objects in the edge cache of this data centre, kept for `ttl` seconds; `now` in milliseconds. */
export function createEdge(cache: EdgeCache, ttl: number, now: () => number): Edge {
  const write = async (url: string, seconds: number, response: Response) => {
    response.headers.set('cache-control', toCacheControl({ public: true, maxAge: seconds }))
    response.headers.set(STORED_AT, String(now()))
    try {
      await cache.put(url, response)
    } catch (error) {
      // Whoever fills the body must not wait for a cache that has turned away.
      if (!response.bodyUsed) await response.body?.cancel()
      throw error
    }
  }
  return {
    async read(url, asked) {
      const hit = await cache.match(new Request(url, asked && { headers: toConditions(asked) }))
      const entry = hit && parseEntry(hit)
      if (!entry) await hit?.body?.cancel()
      return entry
    },
    write: (url, object, body) => write(url, ttl, toEntry(object, body)),
    writeMissing: (url) => write(url, MISSING_TTL, new Response('', { status: 404 })),
    remove: (url) => cache.delete(url),
  }
}

function toConditions({ range, isConditional, headers }: Wanted): Record<string, string> {
  const names = isConditional ? ['if-none-match', 'if-modified-since'] : []
  const given = names.map((name) => [name, headers.get(name)]).filter(([, value]) => value !== null)
  return { ...(range && { range: toRange(range) }), ...Object.fromEntries(given) }
}

function parseEntry(hit: Response): Read | undefined {
  const { status } = hit
  const date = new Date(Number(hit.headers.get(STORED_AT) ?? Number.NaN))
  const isMarked = !Number.isNaN(date.getTime())
  // What the cache makes of an entry by itself may bear no mark: the whole entry is looked at next.
  if (status === 416 || (status === 304 && !isMarked)) return { type: 'bodiless' }
  if (!isMarked) return undefined
  if (status === 404) return { type: 'missing', from: 'edge', date }
  const found = parseFound(hit, 'edge', date)
  return found && status === 304 ? { ...found, type: 'unchanged' } : found
}

function toEntry({ contentType, etag, lastModified, size }: MediaObject, body: Body): Response {
  const headers = new Headers()
  if (contentType !== undefined) headers.set('content-type', contentType)
  if (etag) headers.set('etag', etag)
  if (lastModified) headers.set('last-modified', lastModified)
  if (size !== undefined) headers.set('content-length', String(size))
  return new Response(body, { headers })
}
