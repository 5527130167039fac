import { toCacheControl } from '../../../http/cache-control.ts'
import { toExtentHeaders } from '../../../http/content-range.ts'
import type { Decision } from '../decide.ts'
import { MISSING_TTL, type ObjectHead, type ReadResult, toValidators } from '../object.ts'
import { isVersioned } from './key.ts'
import { CORS_HEADERS, PUBLIC_HEADERS, representationHeaders } from './representation-headers.ts'

export type MediaOutcome = ReadResult | Exclude<Decision, { type: 'read' }>

const METHODS = 'GET, HEAD, OPTIONS'
const MISSING = { 'cache-control': toCacheControl({ public: true, maxAge: MISSING_TTL }) }
const NO_STORE = { 'cache-control': 'no-store' }
const PREFLIGHT = {
  ...PUBLIC_HEADERS,
  allow: METHODS,
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': 'If-Modified-Since, If-None-Match, If-Range, Range',
  'access-control-max-age': '86400',
}
// Seconds after which a client may try a failed store again.
const FAILED = { ...NO_STORE, 'retry-after': '5' }
const TEXTS: Record<number, string> = {
  404: 'Not found',
  405: 'Method not allowed. Use GET or HEAD.',
  416: 'Range not satisfiable',
  502: 'The media store failed',
  504: 'The media store did not answer in time',
}

/** Turns an answer into a Response; `diagnostics` go with what was read. */
export type Respond = (
  answer: MediaOutcome,
  method: string,
  diagnostics: Record<string, string>,
) => Response

/** Responses that browsers may keep for `maxAge` seconds. */
export function createRespond(maxAge: number): Respond {
  const versioned = toCacheControl({ public: true, maxAge, immutable: true })
  const other = toCacheControl({ public: true, maxAge })
  const toCaching = (head: ObjectHead) => {
    // A body of unknown length that breaks off ends like the whole (workerd).
    const isKept = !head.isPrivate && head.size !== undefined
    const cacheControl = isVersioned(head.key) ? versioned : other
    return { 'cache-control': isKept ? cacheControl : 'no-store', ...toValidators(head) }
  }
  return (answer, method, diagnostics) => {
    switch (answer.type) {
      case 'found': {
        const { head, part, body } = answer
        const headers = {
          ...PUBLIC_HEADERS,
          ...toCaching(head),
          // A body of unknown length is sent in chunks; the platform then has no ranges of it.
          ...(head.size !== undefined && toExtentHeaders(head.size, part)),
          ...representationHeaders(head),
          ...diagnostics,
        }
        return new Response(method === 'HEAD' ? null : body, { status: part ? 206 : 200, headers })
      }
      case 'not-modified': {
        // RFC 9110 §15.4.5: what would have come with the 200, but not what describes the body.
        const headers = { ...CORS_HEADERS, ...toCaching(answer.head), ...diagnostics }
        return new Response(null, { status: 304, headers })
      }
      case 'unsatisfiable': {
        // RFC 9110 §15.5.17.
        const range = `bytes */${answer.head.size}`
        const headers = { ...NO_STORE, 'accept-ranges': 'bytes', 'content-range': range }
        return toText(416, method, { ...headers, ...diagnostics })
      }
      case 'missing':
        return toText(404, method, { ...MISSING, ...diagnostics })
      case 'not-found':
        return toText(404, method, NO_STORE)
      case 'failed':
        return toText(answer.status, method, { ...FAILED, ...diagnostics })
      case 'method-not-allowed':
        return toText(405, method, { ...NO_STORE, allow: METHODS })
      case 'preflight':
        return new Response(null, { status: 204, headers: PREFLIGHT })
      default:
        return answer satisfies never
    }
  }
}

function toText(status: number, method: string, headers: Record<string, string>): Response {
  const body = method === 'HEAD' ? null : `${TEXTS[status]}\n`
  const type = { 'content-type': 'text/plain; charset=utf-8' }
  return new Response(body, { status, headers: { ...PUBLIC_HEADERS, ...type, ...headers } })
}
