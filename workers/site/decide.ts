import { ADMIN_SEGMENT, MEDIA_SEGMENT } from '../../contract/constants.ts'
import { toCanonicalPath, toRawPath } from '../../http/path.ts'
import { parseSearchQuery, type SearchQuery } from './rendering/search-query.ts'

/** A request's meaning, decided without any I/O. */
export type Decision =
  | { type: 'purge' | 'health' | 'misdirected' | 'method-not-allowed' | 'not-found' }
  | {
      type: 'preview'
      path: string
      query: SearchQuery
      token: string
      version: string | undefined
    }
  | { type: 'redirect'; location: string }
  | { type: 'search'; path: string; query: SearchQuery }
  | { type: 'page'; path: string }

const ADMIN: Readonly<Record<string, 'purge' | 'health'>> = {
  '/__cms/purge': 'purge',
  '/__cms/health': 'health',
}
/** The media worker shares the edge cache, and our own entries lie under `/__cms`. */
const RESERVED = new RegExp(`^/(?:${ADMIN_SEGMENT}|${MEDIA_SEGMENT})(?:/|$)`)
const SEARCH = /^(?:\/[a-z]{2,3}(?:-[a-z0-9]{2,8})?)?\/search$/

/** A request line; `raw` is the URL as it was sent. */
type Line = { url: URL; raw: string; method: string }

/** `host` is the worker's own; the order is that of decision: admin, host and method, preview, path. */
export function decideRequest({ url, raw: sent, method }: Line, host: string): Decision {
  const admin = ADMIN[url.pathname]
  if (admin) return { type: admin }
  if (toHost(url.hostname) !== host) return { type: 'misdirected' }
  if (method !== 'GET' && method !== 'HEAD') return { type: 'method-not-allowed' }
  const raw = toRawPath(sent)
  const path = toCanonicalPath(raw)
  if (path === undefined || RESERVED.test(path)) return { type: 'not-found' }
  const query = SEARCH.test(path) ? parseSearchQuery(url.searchParams) : { q: '' }
  const token = url.searchParams.get('_preview')
  const version = url.searchParams.get('_version') ?? undefined
  if (token !== null) return { type: 'preview', path, query, token, version }
  if (path !== raw) return { type: 'redirect', location: `${path}${url.search}` }
  return query.q ? { type: 'search', path, query } : { type: 'page', path }
}

/** A host as it is compared: lower case, no port, no dot at the end. */
export function toHost(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
}
