import { toCacheControl } from '../../http/cache-control.ts'
import { toHttpDate } from '../../http/date.ts'
import type { Decision } from './decide.ts'
import { MISSING_TTL } from './edge.ts'
import { isVersioned } from './key.ts'
import type { Found, MediaObject } from './object.ts'
import { present } from './present.ts'
import type { Selected } from './select.ts'

/** `maxAge` in seconds, `now` in milliseconds. */
export type Context = { key: string; method: string; maxAge: number; now: number }
export type Answer = Selected | Exclude<Decision, { type: 'read' }>

const METHODS = 'GET, HEAD, OPTIONS'
const NO_STORE = { 'cache-control': 'no-store' }
const EXPOSED =
  'Accept-Ranges, Age, Cache-Status, Content-Length, Content-Range, ETag, Server-Timing'

// The objects are public and no answer depends on cookies, so every origin may read them.
const SHARED = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
  'cross-origin-resource-policy': 'cross-origin',
  'timing-allow-origin': '*',
  'x-content-type-options': 'nosniff',
}
const PREFLIGHT = {
  allow: METHODS,
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': 'If-Match, If-Modified-Since, If-None-Match, If-Range, Range',
  'access-control-max-age': '86400',
}
const TEXTS: Record<number, string> = {
  404: 'Not found',
  405: 'Method not allowed',
  416: 'Range not satisfiable',
  502: 'The media store failed',
  504: 'The media store did not answer in time',
}

/** The one place where an answer becomes a Response. */
export function toResponse(answer: Answer, context: Context): Response {
  const { method, now } = context
  switch (answer.type) {
    case 'found': {
      const { part, object, body } = answer
      const headers = toHeaders({ ...toObjectHeaders(object, context), ...toExtent(answer) })
      return new Response(method === 'HEAD' ? null : body, { status: part ? 206 : 200, headers })
    }
    case 'not-modified': {
      // RFC 9110 §15.4.5: what would have come with the 200, but not what describes the body.
      return new Response(null, {
        status: 304,
        headers: toHeaders(toCaching(answer.object, context)),
      })
    }
    case 'unsatisfiable': {
      // RFC 9110 §15.5.17.
      const range = `bytes */${answer.object.size}`
      return toText(416, method, { ...NO_STORE, 'accept-ranges': 'bytes', 'content-range': range })
    }
    case 'missing': {
      const caching = toCacheControl({ public: true, maxAge: MISSING_TTL })
      return toText(404, method, { 'cache-control': caching, ...toAge(answer.date, now) })
    }
    case 'no-object':
      return toText(404, method, NO_STORE)
    case 'failed':
      return toText(answer.status, method, NO_STORE)
    case 'refused':
      return toText(405, method, { ...NO_STORE, allow: METHODS })
    case 'preflight':
      return new Response(null, { status: 204, headers: toHeaders(PREFLIGHT) })
    default:
      return answer satisfies never
  }
}

function toObjectHeaders(object: MediaObject, context: Context): Record<string, string> {
  return { ...toCaching(object, context), ...present(context.key, object.contentType) }
}

function toCaching({ etag, lastModified, date }: MediaObject, { key, maxAge, now }: Context) {
  return {
    ...(etag && { etag }),
    ...(lastModified && { 'last-modified': toHttpDate(lastModified) }),
    'cache-control': toCacheControl({ public: true, maxAge, immutable: isVersioned(key) }),
    ...toAge(date, now),
  }
}

// A chunked body, whose size nobody knows, is sent without; the platform then offers no ranges.
function toExtent({ object: { size }, part }: Found): Record<string, string> {
  if (size === undefined) return {}
  if (!part) return { 'accept-ranges': 'bytes', 'content-length': String(size) }
  return {
    'accept-ranges': 'bytes',
    'content-length': String(part.end - part.start + 1),
    'content-range': `bytes ${part.start}-${part.end}/${size}`,
  }
}

// RFC 9111 §5.1.
function toAge(date: Date, now: number): Record<string, string> {
  const age = Math.floor((now - date.getTime()) / 1000)
  return age > 0 ? { age: String(age) } : {}
}

function toText(status: number, method: string, headers: Record<string, string>): Response {
  const body = method === 'HEAD' ? null : `${TEXTS[status]}\n`
  const all = toHeaders({ ...headers, 'content-type': 'text/plain; charset=utf-8' })
  return new Response(body, { status, headers: all })
}

function toHeaders(headers: Record<string, string>): Headers {
  return new Headers({ ...SHARED, ...headers })
}
