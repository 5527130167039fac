import type { ServerTimingMetric } from '../../http/server-timing.ts'
import type { Served } from './cache/tiered-cache.ts'
import type { Decision } from './decide.ts'

/** The response to a request; `served` is the entry that it was made from, if any. */
export interface HandledRequest {
  response: Response
  served?: Served
}

/** Returns whether the response is a fresh page from the edge cache. */
export function isFreshEdgeHit({ response, served }: HandledRequest): boolean {
  const isOk = response.status === 200 || response.status === 304
  return isOk && served?.layer === 'edge' && served.verdict === 'fresh'
}

/** Returns the fields of a log line. Leaves out the query, which may contain a preview token or a search. */
export function toLogFields(
  method: string,
  { hostname, pathname }: URL,
  decision: Decision,
  { response: { status, headers } }: HandledRequest,
  milliseconds: number,
  timings: readonly ServerTimingMetric[],
): Record<string, unknown> {
  const apiCalls = timings.filter(({ name }) => name === 'api').length
  return {
    event: 'request',
    method,
    host: hostname,
    path: pathname,
    decision: decision.type,
    status,
    cache: headers.get('cache-status'),
    milliseconds,
    ...(apiCalls > 0 && { api_calls: apiCalls }),
  }
}
