import type { Served } from './cache/tiered-cache.ts'
import type { Decision } from './decide.ts'

/** A response, with what the cache served for it. */
export interface HandledRequest {
  response: Response
  served?: Served
}

/** A page that was there and fresh in the edge cache. */
export function isPlainHit({ response, served }: HandledRequest): boolean {
  const isFound = response.status === 200 || response.status === 304
  return isFound && served?.layer === 'edge' && served.verdict === 'fresh'
}

/** Never with the query: it may carry a preview token, or what a visitor searched for. */
export function toLogFields(
  method: string,
  { hostname, pathname }: URL,
  decision: Decision,
  { response: { status, headers } }: HandledRequest,
  milliseconds: number,
): Record<string, unknown> {
  return {
    event: 'request',
    method,
    host: hostname,
    path: pathname,
    decision: decision.type,
    status,
    cache: headers.get('cache-status'),
    milliseconds,
  }
}
