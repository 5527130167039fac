import { toCacheControl } from '../../http/cache-control.ts'
import { toCacheStatus } from '../../http/cache-status.ts'
import { decideConditional, readConditions } from '../../http/conditional.ts'
import { toHttpDate } from '../../http/date.ts'
import { withQuery } from '../../http/path.ts'
import { type ServerTimingMetric, toServerTiming } from '../../http/server-timing.ts'
import { discard } from './cache/edge.ts'
import type { Served } from './cache/tiered-cache.ts'
import { toHtml } from './render-page.ts'
import { SECURITY_HEADERS } from './security.ts'

const CACHE_NAME = 'cms-edge'
const ALWAYS_REVALIDATE = toCacheControl({ public: true, maxAge: 0, mustRevalidate: true })

/** Returns the response to a page request; 304 and HEAD are decided before a body is opened. */
export function toPageResponse(
  request: Request,
  served: Served,
  now: number,
  timings: readonly ServerTimingMetric[],
): Response {
  const { meta } = served
  const lastModified = new Date(meta.lastModified)
  const headers = {
    ...SECURITY_HEADERS,
    ...served.headers,
    ...(served.headers.location && { location: toLocation(served.headers.location, request) }),
    etag: meta.etag,
    'last-modified': toHttpDate(lastModified),
    'cache-control': ALWAYS_REVALIDATE,
    'cache-status': toCacheStatusOf(served, now),
    'server-timing': toServerTiming(timings),
  }
  const { method } = request
  const conditional = { method, ...readConditions(request.headers), etag: meta.etag, lastModified }
  // RFC 9110 §13.2.1: preconditions apply only when the response would be a success.
  if (meta.status === 200 && decideConditional(conditional) === 'not-modified') {
    discard(served)
    return new Response(null, { status: 304, headers })
  }
  const isEmpty = method === 'HEAD' || meta.status === 301 || meta.status === 302
  if (isEmpty) discard(served)
  return new Response(isEmpty ? null : served.body, {
    status: meta.status,
    headers: { ...headers, 'content-type': meta.contentType },
  })
}

function toCacheStatusOf({ meta, layer, verdict, collapsed }: Served, now: number): string {
  const ttl = (meta.freshUntil - now) / 1000
  if (layer === 'render') return toCacheStatus(CACHE_NAME, { fwd: 'uri-miss', ttl, collapsed })
  if (verdict === 'outdated') return toCacheStatus(CACHE_NAME, { fwd: 'stale', ttl, detail: layer })
  return toCacheStatus(CACHE_NAME, { hit: true, ttl, collapsed, detail: layer })
}

// The query is not part of a page's key, so a cached redirect does not contain it.
function toLocation(location: string, { url }: Request): string {
  return withQuery(location, new URL(url).search)
}

/** Returns a short text response that is not cached. */
export function toPlainResponse(
  status: number,
  text: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(`${text}\n`, {
    status,
    headers: {
      ...SECURITY_HEADERS,
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      ...headers,
    },
  })
}

/** Returns the error page (503) for when the page can be neither rendered nor served from a cache. */
export function toUnavailableResponse(): Response {
  const body = toHtml(
    'Back in a moment',
    'This page cannot be shown right now. Please try again shortly.',
  )
  return new Response(body, {
    status: 503,
    headers: {
      ...SECURITY_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'cache-status': toCacheStatus(CACHE_NAME, { fwd: 'uri-miss', fwdStatus: 503 }),
      'retry-after': '10',
    },
  })
}
