import { ADMIN_SEGMENT, MEDIA_SEGMENT } from '../../contract/constants.ts'
import { toCanonicalPath, toRawPath } from '../../http/path.ts'
import { parseSearchQuery, type SearchQuery } from './rendering/search-query.ts'

/** The type of a request, with the parts of it that its handler needs. */
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

/** A redirect to the canonical path. `origin` is empty, or the https origin for a request over http. */
export interface RedirectDecision {
  type: 'redirect'
  status: 301 | 308
  origin: string
  path: string
  /** The unchanged query: empty, or with its `?`. */
  queryString: string
  isPreview: boolean
}

const ADMIN_ENDPOINTS: Readonly<Record<string, 'purge' | 'health'>> = {
  [`/${ADMIN_SEGMENT}/purge`]: 'purge',
  [`/${ADMIN_SEGMENT}/health`]: 'health',
}
/** Paths that are never pages: the edge cache has media or internal entries under these keys. */
const RESERVED = new RegExp(`^/(?:${ADMIN_SEGMENT}|${MEDIA_SEGMENT})(?:/|$)`)
/** The search page, in the default or in another language. */
const SEARCH = /^(?:\/[a-z]{2,3}(?:-[a-z0-9]{2,8})?)?\/search$/

/** `localhost` names (RFC 6761 §6.3) and 127.0.0.0/8, which have no certificate. */
const LOCAL = /^(?:.+\.)?localhost$|^127(?:\.\d{1,3}){3}$/

interface RequestLine {
  url: URL
  unparsedUrl: string
  method: string
}

/** Classifies a request to the site at `host`: by admin path, then host, method, preview and path. */
export function decideRequest({ url, unparsedUrl, method }: RequestLine, host: string): Decision {
  const admin = ADMIN_ENDPOINTS[url.pathname]
  if (admin) return { type: admin }
  if (toHost(url.hostname) !== host) return { type: 'misdirected' }
  const isInsecure = url.protocol === 'http:' && !LOCAL.test(host)
  if (method !== 'GET' && method !== 'HEAD')
    return { type: isInsecure ? 'insecure' : 'method-not-allowed' }
  const rawPath = toRawPath(unparsedUrl)
  const path = toCanonicalPath(rawPath)
  if (path === undefined || RESERVED.test(path)) return { type: 'not-found' }
  const token = url.searchParams.get('_preview')
  const redirect = {
    type: 'redirect',
    path,
    queryString: url.search,
    isPreview: token !== null,
  } as const
  if (isInsecure) return { ...redirect, status: 308, origin: `https://${host}` }
  const query = SEARCH.test(path) ? parseSearchQuery(url.searchParams) : { q: '' }
  const version = url.searchParams.get('_version') ?? undefined
  if (token !== null) return { type: 'preview', path, query, token, version }
  if (path !== rawPath) return { ...redirect, status: 301, origin: '' }
  return query.q ? { type: 'search', path, query } : { type: 'page', path }
}

/** Normalises a host: lower case, no port, no trailing dot. */
export function toHost(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
}
