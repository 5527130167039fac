import { toCacheControl } from '../../http/cache-control.ts'
import { toRange } from '../../http/range.ts'
import type { Wanted } from './decide.ts'
import { type Body, type Finish, type Found, parseContentRange, type Read } from './object.ts'

/** The part of the Workers Cache API that is needed. */
export type EdgeCache = {
  match(request: Request | string): Promise<Response | undefined>
  put(url: string, response: Response): Promise<void>
  delete(url: string): Promise<boolean>
}
/** What one `build` has written another one presents in its own way. */
export type EdgeOptions = {
  cache: EdgeCache
  build: string
  finish: Finish
  now: () => number
}
export type Edge = ReturnType<typeof createEdge>

/** Seconds for which an object that is not there stays so. */
export const MISSING_TTL = 60

/**
 * When an entry was written, by which build, and the type that its object is stored with. The site
 * worker shares the cache: an entry without it was not written here, so it is none.
 */
export const MARK = 'cms-media-stored'
const MARKED = /^(\d+) (\S+) ?(.*)$/

/** Objects in the edge cache of this data centre, with the headers that readers get. */
export function createEdge({ cache, build, finish, now }: EdgeOptions) {
  const write = async (url: string, response: Response, storedType: string) => {
    try {
      response.headers.set(MARK, `${now()} ${build} ${storedType}`)
      await cache.put(url, response)
    } catch (error) {
      // Whoever fills the body must not wait for a cache that has turned away.
      if (!response.bodyUsed) await response.body?.cancel()
      throw error
    }
  }

  const parseEntry = ({ status, headers, body }: Response, key: string): Read | undefined => {
    const [, writtenAt, writtenBy, storedType = ''] = MARKED.exec(headers.get(MARK) ?? '') ?? []
    // What the cache makes of an entry by itself may bear no mark: the whole entry is looked at next.
    if (status === 416 || (status === 304 && !writtenAt)) return { type: 'bodiless' }
    if (!writtenAt) return undefined
    const common = { from: 'edge', date: new Date(Number(writtenAt)) } as const
    if (status === 404) return { type: 'missing', ...common }
    if (status === 206 && !parseContentRange(headers)) return undefined
    const finished = writtenBy === build ? headers : finish(key, storedType, headers)
    const object = { ...common, headers: finished, body, storedType }
    if (status === 304) return { ...object, type: 'unchanged', status: 200 }
    return { ...object, type: 'found', status: status === 206 ? 206 : 200 }
  }

  return {
    /** Reads an entry as a request asks for it, or whole. */
    async read({ key, cacheUrl }: Wanted, asked?: Wanted): Promise<Read | undefined> {
      const conditions = asked && toConditions(asked)
      const hit = await cache.match(
        conditions ? new Request(cacheUrl, { headers: conditions }) : cacheUrl,
      )
      const entry = hit && parseEntry(hit, key)
      if (!entry) await hit?.body?.cancel()
      return entry
    },
    write(url: string, found: Found, body: Body | Blob, size: number): Promise<void> {
      const response = new Response(body, { headers: found.headers })
      response.headers.delete('content-range')
      response.headers.set('content-length', String(size))
      return write(url, response, found.storedType)
    },
    writeMissing(url: string): Promise<void> {
      const headers = { 'cache-control': toCacheControl({ public: true, maxAge: MISSING_TTL }) }
      return write(url, new Response('', { status: 404, headers }), '')
    },
    remove: (url: string) => cache.delete(url),
  }
}

function toConditions({ range, isConditional, headers }: Wanted): Headers | undefined {
  if (!range && !isConditional) return undefined
  const names = isConditional ? ['if-none-match', 'if-modified-since'] : []
  const given = names.map((name) => [name, headers.get(name)]).filter(([, value]) => value !== null)
  return new Headers({ ...(range && { range: toRange(range) }), ...Object.fromEntries(given) })
}
