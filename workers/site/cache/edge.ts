import * as z from 'zod/mini'
import { toCacheControl } from '../../../http/cache-control.ts'
import { parseJson } from '../json.ts'
import type { EdgeCache } from '../ports.ts'
import { type Entry, Headers, Meta } from './entry.ts'

/** A copy in the edge cache; its body is a stream that belongs to the request that matched it. */
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
const SHARED_BODY_SECONDS = 300
const Head = z.object({ meta: Meta, headers: Headers })
type Head = z.infer<typeof Head>

/** Entries in the edge cache. 404s with the same body share one copy of it, so that scanners cannot fill the cache. */
export function createEdgeStore(edge: EdgeCache, host: string): EdgeStore {
  const sharedUrl = ({ etag }: Meta) => `https://${host}/__cms/404/${encodeURIComponent(etag)}`

  return {
    async match(url) {
      const response = await edge.match(url)
      const head = response && parseJson(response.headers.get(ENTRY_HEADER) ?? '', Head)
      if (head && head.meta.status !== 404) return { ...head, body: response.body }
      discard(response)
      if (!head) return undefined
      const shared = await edge.match(sharedUrl(head.meta))
      return shared && { ...head, body: shared.body }
    },
    async put(url, { meta, headers, body }, seconds) {
      const isShared = meta.status === 404
      if (isShared) await edge.put(sharedUrl(meta), toCopy(body, undefined, SHARED_BODY_SECONDS))
      await edge.put(url, toCopy(isShared ? '' : body, { meta, headers }, seconds))
    },
  }
}

/** Releases a body that nobody will read. */
export function discard(copy: { body: string | ReadableStream | null } | undefined): void {
  if (copy?.body instanceof ReadableStream) copy.body.cancel().catch(() => {})
}

// The media worker shares the cache: a response without this header is none of ours.
function toCopy(body: string, head: Head | undefined, seconds: number): Response {
  return new Response(body, {
    headers: {
      'cache-control': toCacheControl({ public: true, maxAge: seconds }),
      ...(head && { [ENTRY_HEADER]: JSON.stringify(head) }),
    },
  })
}
