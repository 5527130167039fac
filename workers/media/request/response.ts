import { toCacheControl } from '../../../http/cache-control.ts'
import { MISSING_TTL } from '../cache/edge.ts'
import type { Decision } from '../decide.ts'
import { type Found, type Head, toLength, toValidators } from '../store/object.ts'
import { isVersioned } from './key.ts'
import type { Selected, Unserved } from './preconditions.ts'
import { present, READABLE, SHARED } from './representation-headers.ts'

export type Answer = Selected | Exclude<Decision, { type: 'read' }>

const METHODS = 'GET, HEAD, OPTIONS'
const MISSING = { 'cache-control': toCacheControl({ public: true, maxAge: MISSING_TTL }) }
const NO_STORE = { 'cache-control': 'no-store' }
const PREFLIGHT = {
  ...SHARED,
  allow: METHODS,
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': 'If-Modified-Since, If-None-Match, If-Range, Range',
  'access-control-max-age': '86400',
}
const TEXTS: Record<number, string> = {
  404: 'Not found',
  405: 'Method not allowed',
  416: 'Range not satisfiable',
  502: 'The media store failed',
  504: 'The media store did not answer in time',
}

/** The one place where an answer becomes a Response; `diagnostics` go with what was read. */
export type Respond = (
  answer: Answer,
  method: string,
  diagnostics: Record<string, string>,
) => Response

/** Answers that let an object live for `maxAge` seconds. */
export function createRespond(maxAge: number): Respond {
  const versioned = toCacheControl({ public: true, maxAge, immutable: true })
  const other = toCacheControl({ public: true, maxAge })
  const toCaching = (head: Found | Unserved): Record<string, string> => {
    // What breaks off without a length ends like the whole (workerd): nobody may keep it.
    if (head.size === undefined && head.from === 'store')
      return { ...NO_STORE, ...toValidators(head) }
    const cacheControl = isVersioned(head.key) ? versioned : other
    return { 'cache-control': cacheControl, ...toValidators(head) }
  }
  return (answer, method, diagnostics) => {
    switch (answer.type) {
      case 'found': {
        const headers = {
          ...SHARED,
          ...toCaching(answer),
          ...toExtent(answer),
          ...present(answer.key, answer.storedType),
          ...diagnostics,
        }
        const body = method === 'HEAD' ? null : answer.body
        return new Response(body, { status: answer.part ? 206 : 200, headers })
      }
      case 'not-modified': {
        // RFC 9110 §15.4.5: what would have come with the 200, but not what describes the body.
        const headers = { ...READABLE, ...toCaching(answer), ...diagnostics }
        return new Response(null, { status: 304, headers })
      }
      case 'unsatisfiable': {
        // RFC 9110 §15.5.17.
        const range = `bytes */${answer.size}`
        const headers = { ...NO_STORE, 'accept-ranges': 'bytes', 'content-range': range }
        return toText(416, method, { ...headers, ...diagnostics })
      }
      case 'missing':
        return toText(404, method, { ...MISSING, ...diagnostics })
      case 'no-object':
        return toText(404, method, NO_STORE)
      case 'failed':
        return toText(answer.status, method, { ...NO_STORE, ...diagnostics })
      case 'refused':
        return toText(405, method, { ...NO_STORE, allow: METHODS })
      case 'preflight':
        return new Response(null, { status: 204, headers: PREFLIGHT })
      default:
        return answer satisfies never
    }
  }
}

// A chunked body, whose size nobody knows, is sent without; the platform then offers no ranges.
function toExtent(head: Head): Record<string, string> {
  if (head.size === undefined) return {}
  const range = head.part && `bytes ${head.part.start}-${head.part.end}/${head.size}`
  return {
    'accept-ranges': 'bytes',
    'content-length': String(toLength(head)),
    ...(range && { 'content-range': range }),
  }
}

function toText(status: number, method: string, headers: Record<string, string>): Response {
  const body = method === 'HEAD' ? null : `${TEXTS[status]}\n`
  const type = { 'content-type': 'text/plain; charset=utf-8' }
  return new Response(body, { status, headers: { ...SHARED, ...type, ...headers } })
}
