import * as z from 'zod/mini'
import { toCacheControl } from '../../../http/cache-control.ts'
import { parseJson } from '../json.ts'
import type { EdgeCache } from '../ports.ts'
import { type Entry, Headers, Meta } from './entry.ts'

/** An entry in the edge cache; only the request that matched it may read its body. */
export interface EdgeCopy {
  meta: Meta
  headers: Record<string, string>
  body: ReadableStream | null
}

export interface EdgeStore {
  match(url: string): Promise<EdgeCopy | undefined>
  put(url: string, entry: Omit<Entry, 'dependencies'>, seconds: number): Promise<void>
}

const ENTRY_HEADER = 'cms-entry'
const Head = z.object({ meta: Meta, headers: Headers })
type Head = z.infer<typeof Head>

/** Entries in the edge cache. */
export function createEdgeStore(edge: EdgeCache): EdgeStore {
  return {
    async match(url) {
      const response = await edge.match(url)
      const head = response && parseJson(response.headers.get(ENTRY_HEADER) ?? '', Head)
      if (head) return { ...head, body: response.body }
      discard(response)
      return undefined
    },
    put: (url, { meta, headers, body }, seconds) =>
      edge.put(url, toCopy(body, { meta, headers }, seconds)),
  }
}

/** Cancels a body that will not be read. */
export function discard(copy: { body: string | ReadableStream | null } | undefined): void {
  if (copy?.body instanceof ReadableStream) copy.body.cancel().catch(() => {})
}

// The media worker shares the cache; its responses lack this header.
function toCopy(body: string, head: Head, seconds: number): Response {
  return new Response(body, {
    headers: {
      'cache-control': toCacheControl({ public: true, maxAge: seconds }),
      [ENTRY_HEADER]: JSON.stringify(head),
    },
  })
}
