import { parseHttpDate } from './date.ts'
import { matchesAny } from './etag.ts'

/** Validators of the current representation. */
export interface Validators {
  etag?: string | undefined
  lastModified?: Date | undefined
}
/** Precondition headers of a request, unparsed. */
export interface Conditions {
  ifNoneMatch: string | null
  ifModifiedSince: string | null
}
export interface ConditionalRequest extends Validators, Conditions {
  method: string
}

export function readConditions(headers: Headers): Conditions {
  return {
    ifNoneMatch: headers.get('if-none-match'),
    ifModifiedSince: headers.get('if-modified-since'),
  }
}

/** Creates the headers ETag and Last-Modified (an HTTP-date) for the defined validators. */
export function toValidatorHeaders(validators: {
  etag: string | undefined
  lastModified: string | undefined
}): Record<string, string> {
  const { etag, lastModified } = validators
  return { ...(etag && { etag }), ...(lastModified && { 'last-modified': lastModified }) }
}

/** Evaluates the preconditions of a request (RFC 9110 §13.2.2). If-Match is ignored, which §13.1.1 allows caches. */
export function decideConditional(request: ConditionalRequest): 'serve' | 'not-modified' {
  if (request.method !== 'GET' && request.method !== 'HEAD') return 'serve'
  // RFC 9110 §13.1.3: If-Modified-Since is ignored when If-None-Match is present.
  const { ifNoneMatch } = request
  if (ifNoneMatch !== null) return matchesAny(ifNoneMatch, request.etag) ? 'not-modified' : 'serve'
  const since = parseHttpDate(request.ifModifiedSince)
  if (!since || !request.lastModified) return 'serve'
  return toSeconds(request.lastModified) <= toSeconds(since) ? 'not-modified' : 'serve'
}

// RFC 9110 §8.8.2: Last-Modified has whole seconds, so both dates are compared in seconds.
function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
