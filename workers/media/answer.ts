import { toCacheControl } from '../../http/cache-control.ts'
import type { Decision } from './decide.ts'
import { MISSING_TTL } from './edge.ts'
import { isVersioned } from './key.ts'
import type { Found, MediaObject } from './object.ts'
import { present } from './present.ts'
import type { Selected } from './select.ts'

/** `now` in milliseconds. */
export type Context = { key: string; method: string; lifetimes: Lifetimes; now: number }
/** Cache-Control of objects, by whether their name tells the version. */
export type Lifetimes = { versioned: string; other: string }
export type Answer = Selected | Exclude<Decision, { type: 'read' }>

const METHODS = 'GET, HEAD, OPTIONS'
const MISSING = toCacheControl({ public: true, maxAge: MISSING_TTL })
const NO_STORE = { 'cache-control': 'no-store' }
const EXPOSED =
  'Accept-Ranges, Age, Cache-Status, Content-Length, Content-Range, ETag, Server-Timing'

// The objects are public and no answer depends on cookies, so every origin may read them.
const READABLE = { 'access-control-allow-origin': '*' }
const SHARED = {
  ...READABLE,
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

/** `maxAge` in seconds. */
export function toLifetimes(maxAge: number): Lifetimes {
  return {
    versioned: toCacheControl({ public: true, maxAge, immutable: true }),
    other: toCacheControl({ public: true, maxAge }),
  }
}

/** The one place where an answer becomes a Response; `extra` headers go with every kind of it. */
export function toResponse(
  answer: Answer,
  context: Context,
  extra: Record<string, string>,
): Response {
  const { method, now } = context
  switch (answer.type) {
    case 'found': {
      const { part, object, body } = answer
      const headers = { ...toCaching(object, context), ...toExtent(answer), ...extra }
      const presented = { ...SHARED, ...headers, ...present(context.key, object.contentType) }
      const status = part ? 206 : 200
      return new Response(method === 'HEAD' ? null : body, { status, headers: presented })
    }
    case 'not-modified': {
      // RFC 9110 §15.4.5: what would have come with the 200, but not what describes the body.
      const headers = { ...READABLE, ...toCaching(answer.object, context), ...extra }
      return new Response(null, { status: 304, headers })
    }
    case 'unsatisfiable': {
      // RFC 9110 §15.5.17.
      const range = `bytes */${answer.object.size}`
      const headers = { ...NO_STORE, 'accept-ranges': 'bytes', 'content-range': range }
      return toText(416, method, { ...headers, ...extra })
    }
    case 'missing': {
      const headers = { 'cache-control': MISSING, ...toAge(answer.date, now) }
      return toText(404, method, { ...headers, ...extra })
    }
    case 'no-object':
      return toText(404, method, NO_STORE)
    case 'failed':
      return toText(answer.status, method, { ...NO_STORE, ...extra })
    case 'refused':
      return toText(405, method, { ...NO_STORE, allow: METHODS })
    case 'preflight':
      return new Response(null, { status: 204, headers: { ...SHARED, ...PREFLIGHT } })
    default:
      return answer satisfies never
  }
}

function toCaching({ etag, lastModified, date }: MediaObject, { key, lifetimes, now }: Context) {
  return {
    ...(etag && { etag }),
    ...(lastModified && { 'last-modified': lastModified }),
    'cache-control': isVersioned(key) ? lifetimes.versioned : lifetimes.other,
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
  const type = { 'content-type': 'text/plain; charset=utf-8' }
  return new Response(body, { status, headers: { ...SHARED, ...type, ...headers } })
}
