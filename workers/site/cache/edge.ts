import { toCacheControl } from '../../../http/cache-control.ts'
import type { EdgeCache } from '../ports.ts'
import { type Entry, Meta } from './entry.ts'
import { parseJson } from './json.ts'

/** A copy in the edge cache: its body is a stream that belongs to the request which found it. */
export type EdgeCopy = { meta: Meta; body: ReadableStream | null }

export type EdgeStore = {
  match(url: string): Promise<EdgeCopy | undefined>
  put(url: string, entry: Entry, seconds: number): Promise<void>
}

const META_HEADER = 'cms-entry'
const SHARED_BODY_SECONDS = 300

/** Entries in the edge cache. All 404s of one body share it, so that a scanner cannot fill the cache. */
export function createEdgeStore(edge: EdgeCache, host: string): EdgeStore {
  const sharedUrl = (meta: Meta) => `https://${host}/__cms/404/${encodeURIComponent(meta.etag)}`

  return {
    async match(url) {
      const response = await edge.match(url)
      const meta = response && parseMeta(response.headers.get(META_HEADER))
      if (meta && meta.status !== 404) return { meta, body: response.body }
      discard(response)
      if (!meta) return undefined
      const shared = await edge.match(sharedUrl(meta))
      return shared && { meta, body: shared.body }
    },
    async put(url, { meta, body }, seconds) {
      const shared = meta.status === 404
      if (shared) await edge.put(sharedUrl(meta), toCopy(body, undefined, SHARED_BODY_SECONDS))
      await edge.put(url, toCopy(shared ? '' : body, meta, seconds))
    },
  }
}

/** Gives back the connection of a body that nobody is going to read; what was read, or is text, has none. */
export function discard(copy: { body: string | ReadableStream | null } | undefined): void {
  if (copy?.body instanceof ReadableStream) copy.body.cancel().catch(() => {})
}

function toCopy(body: string, meta: Meta | undefined, seconds: number): Response {
  return new Response(body, {
    headers: {
      'cache-control': toCacheControl({ public: true, maxAge: seconds }),
      ...(meta && { [META_HEADER]: JSON.stringify(meta) }),
    },
  })
}

// The media worker shares the cache: what carries no entry of ours is not ours.
function parseMeta(header: string | null): Meta | undefined {
  if (header === null) return undefined
  return parseJson(header, Meta)
}
