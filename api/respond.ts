import { decideConditional, readConditions } from '../http/conditional.ts'
import { toHttpDate } from '../http/date.ts'
import { toServerTiming } from '../http/server-timing.ts'
import type { CachedResponse } from './cache/response-cache.ts'
import type { ApiContext } from './middleware/request-log.ts'
import { fitsPayload } from './payload.ts'
import { ApiError } from './problem.ts'
import { toNextChangeHeader } from './site/next-change.ts'
import type { SiteState } from './site/resolve.ts'

interface ResponseParts {
  response: CachedResponse
  site: SiteState
  cacheControl: string
  vary: readonly string[]
}

/**
 * Creates the HTTP response, or a 304 when the caller's validators match.
 * @throws ApiError not_acceptable when the uncompressed body is too large for a Function URL
 */
export function respond(context: ApiContext, parts: ResponseParts): Response {
  const { response, site } = parts
  const { method, headers } = context.req.raw
  const { etag } = response
  const shared = toSharedHeaders(context, parts)
  const { lastModified } = site
  switch (decideConditional({ method, ...readConditions(headers), etag, lastModified })) {
    case 'not-modified':
      return new Response(null, { status: 304, headers: shared })
    case 'serve':
      assertSendable(response)
      return new Response(toBody(response), {
        status: response.status,
        headers: { ...shared, ...toContentHeaders(response) },
      })
  }
}

function assertSendable(response: CachedResponse): void {
  if (fitsPayload(response)) return
  if (response.coding)
    throw new Error(
      `A compressed body of ${response.length} bytes is too large for a Function URL.`,
    )
  throw new ApiError('not_acceptable', {
    detail: 'This response is larger than 6 MB uncompressed. Accept br or gzip, or request less.',
  })
}

// RFC 9110 §15.4.5: headers of the 200 that a 304 also has.
function toSharedHeaders(
  context: ApiContext,
  { response, site, cacheControl, vary }: ResponseParts,
): Record<string, string> {
  const cacheResult = context.get('cacheResult')
  const timings = context.get('timings')
  return {
    etag: response.etag,
    'last-modified': toHttpDate(toSentDate(site)),
    'cache-control': cacheControl,
    vary: vary.join(', '),
    'x-request-id': context.get('requestId'),
    'server-timing': toServerTiming(
      cacheResult ? [...timings, { name: 'cache', description: cacheResult }] : timings,
    ),
    ...toNextChangeHeader(site),
    ...(response.link && { link: response.link }),
  }
}

const SECOND_MS = 1000
/** Maximum time between `revised_at` of a revision and the commit that makes it visible. */
const COMMIT_MS = 1000

// RFC 9110 §8.8.2.2: content may change again within the second of its last change. Until that second has passed, by
// the clocks of the database and of this process, Last-Modified is one second earlier, so a request with it as
// If-Modified-Since gets a 200.
function toSentDate({ lastModified, now }: SiteState): Date {
  const changedAt = lastModified.getTime()
  const hasPassed = Math.min(now.getTime(), Date.now()) >= changedAt + SECOND_MS + COMMIT_MS
  return new Date(hasPassed ? changedAt : changedAt - SECOND_MS)
}

function toContentHeaders({ status, length, coding }: CachedResponse): Record<string, string> {
  if (status === 204) return {}
  return {
    'content-type': 'application/json',
    'content-length': String(length),
    'x-content-type-options': 'nosniff',
    ...(coding && { 'content-encoding': coding }),
  }
}

function toBody({
  status,
  chunks,
}: CachedResponse): Uint8Array<ArrayBuffer> | ReadableStream | null {
  if (status === 204) return null
  const [first, ...others] = chunks
  return others.length === 0 ? (first ?? null) : ReadableStream.from(chunks)
}
