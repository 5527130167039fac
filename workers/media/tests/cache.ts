import { parseRange } from '../../../http/range.ts'
import type { CacheApi } from '../cache/edge-cache.ts'

type Entry = { status: number; headers: Headers; bytes: Uint8Array<ArrayBuffer>; expiresAt: number }

/** Creates a double of the Workers Cache API, which rejects 206 and supports conditions and ranges. */
export function createCache(now: () => number): CacheApi {
  const entries = new Map<string, Entry>()
  return {
    async put(url, response) {
      if (response.status === 206) throw new TypeError('cannot cache a 206')
      const seconds = /max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1] ?? 0
      const { status, headers } = response
      const chunks: Uint8Array<ArrayBuffer>[] = []
      try {
        for await (const chunk of response.body ?? []) chunks.push(chunk)
      } finally {
        // Like Miniflare: put() of a truncated body throws and stores the bytes.
        const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer())
        entries.set(url, { status, headers, bytes, expiresAt: now() + Number(seconds) * 1000 })
      }
    },
    delete: async (url) => entries.delete(url),
    async match(request) {
      const { url, headers: requested } = new Request(request)
      const entry = entries.get(url)
      if (!entry || entry.expiresAt <= now()) return undefined
      const { status, bytes } = entry
      // A cache may be imprecise: this one compares ETags as text, and any If-Modified-Since gets a 304.
      const hasEtag = requested.get('if-none-match')?.includes(entry.headers.get('etag') ?? 'none')
      if (hasEtag) return new Response(null, { status: 304, headers: entry.headers })
      if (requested.has('if-modified-since')) return new Response(null, { status: 304 })
      const range = parseRange(requested.get('range'), bytes.length)
      const headers = new Headers(entry.headers)
      headers.set('content-length', String(bytes.length))
      if (range.type === 'none') return new Response(bytes, { status, headers })
      if (range.type === 'unsatisfiable') return new Response(null, { status: 416 })
      headers.set('content-length', String(range.end - range.start + 1))
      headers.set('content-range', `bytes ${range.start}-${range.end}/${bytes.length}`)
      return new Response(bytes.slice(range.start, range.end + 1), { status: 206, headers })
    },
  }
}
