import { toCacheControl } from '../../../http/cache-control.ts'
import { toValidatorHeaders } from '../../../http/conditional.ts'
import { toExtentHeaders } from '../../../http/content-range.ts'
import { representationHeaders } from '../../../http/representation-headers.ts'
import type { Decision } from '../decide.ts'
import { MISSING_TTL, type ObjectHead, type ReadResult } from '../object.ts'
import { isVersioned } from './key.ts'

export type MediaOutcome = ReadResult | Exclude<Decision, { type: 'read' }>

// Objects are public and no response depends on cookies, so every origin may read them.
const CORS_HEADERS = { 'access-control-allow-origin': '*' }
const PUBLIC_HEADERS = {
  ...CORS_HEADERS,
  'access-control-expose-headers':
    'Accept-Ranges, Age, Cache-Status, Content-Length, Content-Range, ETag, Server-Timing',
  'cross-origin-resource-policy': 'cross-origin',
  'timing-allow-origin': '*',
  'x-content-type-options': 'nosniff',
}

const METHODS = 'GET, HEAD, OPTIONS'
const MISSING_HEADERS = { 'cache-control': toCacheControl({ public: true, maxAge: MISSING_TTL }) }
const NO_STORE = { 'cache-control': 'no-store' }
const PREFLIGHT_HEADERS = {
  ...PUBLIC_HEADERS,
  allow: METHODS,
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': 'If-Modified-Since, If-None-Match, If-Range, Range',
  'access-control-max-age': '86400',
}
const FAILED_HEADERS = { ...NO_STORE, 'retry-after': '5' }
const TEXTS: Record<number, string> = {
  404: 'Not found',
  405: 'Method not allowed. Use GET or HEAD.',
  416: 'Range not satisfiable',
  502: 'The media store failed',
  504: 'The media store did not respond in time',
}

/**
 * Creates the response for an outcome. `maxAge`: seconds for which browsers may cache an object.
 * `diagnostics`: additional headers (`toDiagnostics`).
 */
export function toResponse(
  outcome: MediaOutcome,
  method: string,
  maxAge: number,
  diagnostics: Record<string, string>,
): Response {
  switch (outcome.type) {
    case 'found': {
      const { head, part, body } = outcome
      const headers = {
        ...PUBLIC_HEADERS,
        ...toCachingHeaders(head, maxAge),
        // A body of unknown length is sent in chunks, so ranges of it are not supported.
        ...(head.size !== undefined && toExtentHeaders(head.size, part)),
        ...representationHeaders(head),
        ...diagnostics,
      }
      return new Response(method === 'HEAD' ? null : body, { status: part ? 206 : 200, headers })
    }
    case 'not-modified': {
      // RFC 9110 §15.4.5: caching headers and validators; the client has the other headers of the 200.
      const caching = toCachingHeaders(outcome.head, maxAge)
      const headers = { ...CORS_HEADERS, ...caching, ...diagnostics }
      return new Response(null, { status: 304, headers })
    }
    case 'unsatisfiable': {
      // RFC 9110 §15.5.17.
      const extent = { 'accept-ranges': 'bytes', 'content-range': `bytes */${outcome.head.size}` }
      return toText(416, method, { ...NO_STORE, ...extent, ...diagnostics })
    }
    case 'missing':
      return toText(404, method, { ...MISSING_HEADERS, ...diagnostics })
    case 'not-found':
      return toText(404, method, NO_STORE)
    case 'failed':
      return toText(outcome.status, method, { ...FAILED_HEADERS, ...diagnostics })
    case 'method-not-allowed':
      return toText(405, method, { ...NO_STORE, allow: METHODS })
    case 'preflight':
      return new Response(null, { status: 204, headers: PREFLIGHT_HEADERS })
    default:
      return outcome satisfies never
  }
}

function toCachingHeaders(head: ObjectHead, maxAge: number): Record<string, string> {
  // When workerd truncates a body of unknown length, caches cannot detect it, so they must not store the body.
  const isCacheable = !head.isPrivate && head.size !== undefined
  const cacheable = toCacheControl({ public: true, maxAge, immutable: isVersioned(head.key) })
  return { 'cache-control': isCacheable ? cacheable : 'no-store', ...toValidatorHeaders(head) }
}

function toText(status: number, method: string, headers: Record<string, string>): Response {
  const body = method === 'HEAD' ? null : `${TEXTS[status]}\n`
  const type = { 'content-type': 'text/plain; charset=utf-8' }
  return new Response(body, { status, headers: { ...PUBLIC_HEADERS, ...type, ...headers } })
}
