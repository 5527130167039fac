import { ADMIN_SEGMENT, MEDIA_SEGMENT } from '../../contract/constants.ts'
import { toCanonicalPath, toRawPath } from '../../http/path.ts'
import { parseSearchQuery, type SearchQuery } from './rendering/search-query.ts'

/** How a request is handled; decided without I/O. */
export type Decision =
  | { type: 'purge' | 'health' | 'misdirected' | 'method-not-allowed' | 'insecure' | 'not-found' }
  | {
      type: 'preview'
      path: string
      query: SearchQuery
      token: string
      version: string | undefined
    }
  | RedirectDecision
  | { type: 'search'; path: string; query: SearchQuery }
  | { type: 'page'; path: string }

/** A redirect to the canonical path with the same query. `origin` is empty when it does not change. */
export interface RedirectDecision {
  type: 'redirect'
  status: 301 | 308
  origin: string
  path: string
  query: string
  isPreview: boolean
}

const ADMIN: Readonly<Record<string, 'purge' | 'health'>> = {
  [`/${ADMIN_SEGMENT}/purge`]: 'purge',
  [`/${ADMIN_SEGMENT}/health`]: 'health',
}
/** The media worker shares the edge cache, and the site worker's own entries have keys under `/__cms`. */
const RESERVED = new RegExp(`^/(?:${ADMIN_SEGMENT}|${MEDIA_SEGMENT})(?:/|$)`)
const SEARCH = /^(?:\/[a-z]{2,3}(?:-[a-z0-9]{2,8})?)?\/search$/

/** Loopback hosts (RFC 6761 §6.3), which have no certificate. */
const LOCAL = /^(?:.+\.)?localhost$|^127(?:\.\d{1,3}){3}$/

/** `raw` is the URL before it was parsed. */
interface RequestLine {
  url: URL
  raw: string
  method: string
}

/** Classifies a request to the site at `host`: first by admin path, then by host, method, preview and path. */
export function decideRequest({ url, raw: unparsed, method }: RequestLine, host: string): Decision {
  const admin = ADMIN[url.pathname]
  if (admin) return { type: admin }
  if (toHost(url.hostname) !== host) return { type: 'misdirected' }
  const isInsecure = url.protocol === 'http:' && !LOCAL.test(host)
  if (method !== 'GET' && method !== 'HEAD')
    return { type: isInsecure ? 'insecure' : 'method-not-allowed' }
  const raw = toRawPath(unparsed)
  const path = toCanonicalPath(raw)
  if (path === undefined || RESERVED.test(path)) return { type: 'not-found' }
  const token = url.searchParams.get('_preview')
  const redirect = { type: 'redirect', path, query: url.search, isPreview: token !== null } as const
  if (isInsecure) return { ...redirect, status: 308, origin: `https://${host}` }
  const query = SEARCH.test(path) ? parseSearchQuery(url.searchParams) : { q: '' }
  const version = url.searchParams.get('_version') ?? undefined
  if (token !== null) return { type: 'preview', path, query, token, version }
  if (path !== raw) return { ...redirect, status: 301, origin: '' }
  return query.q ? { type: 'search', path, query } : { type: 'page', path }
}

/** Normalises a host: lower case, no port, no trailing dot. */
export function toHost(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
}
