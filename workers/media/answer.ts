import { toCacheControl } from '../../http/cache-control.ts'
import type { Decision } from './decide.ts'
import { MARK, MISSING_TTL } from './edge.ts'
import { toSize } from './object.ts'
import { READABLE, SHARED } from './present.ts'
import type { Selected } from './select.ts'

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

/** The one place where an answer becomes a Response; `extra` headers go with what was read. */
export function toResponse(
  answer: Answer,
  method: string,
  extra: Record<string, string>,
): Response {
  switch (answer.type) {
    case 'found': {
      const { status, headers, body } = answer
      const response = new Response(method === 'HEAD' ? null : body, { status, headers })
      response.headers.delete(MARK)
      for (const name in extra) response.headers.set(name, extra[name] ?? '')
      return response
    }
    case 'not-modified': {
      // RFC 9110 §15.4.5: what would have come with the 200, but not what describes the body.
      const kept = ['cache-control', 'etag', 'last-modified']
        .map((name) => [name, answer.headers.get(name)])
        .filter(([, value]) => value !== null)
      const headers = { ...READABLE, ...Object.fromEntries(kept), ...extra }
      return new Response(null, { status: 304, headers })
    }
    case 'unsatisfiable': {
      // RFC 9110 §15.5.17.
      const range = `bytes */${toSize(answer.headers)}`
      const headers = { ...NO_STORE, 'accept-ranges': 'bytes', 'content-range': range }
      return toText(416, method, { ...headers, ...extra })
    }
    case 'missing':
      return toText(404, method, { ...MISSING, ...extra })
    case 'no-object':
      return toText(404, method, NO_STORE)
    case 'failed':
      return toText(answer.status, method, { ...NO_STORE, ...extra })
    case 'refused':
      return toText(405, method, { ...NO_STORE, allow: METHODS })
    case 'preflight':
      return new Response(null, { status: 204, headers: PREFLIGHT })
    default:
      return answer satisfies never
  }
}

function toText(status: number, method: string, headers: Record<string, string>): Response {
  const body = method === 'HEAD' ? null : `${TEXTS[status]}\n`
  const type = { 'content-type': 'text/plain; charset=utf-8' }
  return new Response(body, { status, headers: { ...SHARED, ...type, ...headers } })
}
