import * as z from 'zod/mini'
import { toCacheControl } from '../../../http/cache-control.ts'
import { parseJson } from '../json.ts'
import type { EdgeCache } from '../ports.ts'
import { type Entry, EntryHeaders, Meta } from './entry.ts'

/** An entry in the edge cache; only the request that matched it may read its body. */
export interface EdgeCopy {
  meta: Meta
  headers: Record<string, string>
  body: ReadableStream | null
}

export interface EdgeStore {
  match(url: string): Promise<EdgeCopy | undefined>
  /** `seconds` is the max-age of the copy. */
  put(url: string, entry: Omit<Entry, 'dependencies'>, seconds: number): Promise<void>
}

/** Header with an entry's fields. Responses of the media worker, which are in the same cache, lack it. */
const ENTRY_HEADER = 'cms-entry'
const HeaderValue = z.object({ meta: Meta, headers: EntryHeaders })
type HeaderValue = z.infer<typeof HeaderValue>

/** Stores entries in the edge cache. A response that is not an entry, as this build defines it, is a miss. */
export function createEdgeStore(edge: EdgeCache): EdgeStore {
  return {
    async match(url) {
      const response = await edge.match(url)
      const value = response && parseJson(response.headers.get(ENTRY_HEADER) ?? '', HeaderValue)
      if (value) return { ...value, body: response.body }
      discard(response)
      return undefined
    },
    put: (url, { meta, headers, body }, seconds) =>
      edge.put(url, toCopy(body, { meta, headers }, seconds)),
  }
}

/** Cancels a body that will not be read. */
export function discard(unread: { body: string | ReadableStream | null } | undefined): void {
  if (unread?.body instanceof ReadableStream) unread.body.cancel().catch(() => {})
}

function toCopy(body: string, value: HeaderValue, seconds: number): Response {
  return new Response(body, {
    headers: {
      'cache-control': toCacheControl({ public: true, maxAge: seconds }),
      [ENTRY_HEADER]: JSON.stringify(value),
    },
  })
}
