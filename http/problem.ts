/** Problem details (RFC 9457 §3.1), with extension members (`code`, `errors`, …). */
export interface ProblemDetails {
  type?: string
  title: string
  status: number
  detail?: string
  instance?: string
  [extension: string]: unknown
}

/** Creates a response of type `application/problem+json` with `no-store`. */
export function toProblemResponse(
  problem: ProblemDetails,
  headers: Record<string, string> = {},
): Response {
  const all = new Headers(headers)
  all.set('content-type', 'application/problem+json')
  all.set('cache-control', 'no-store')
  all.set('x-content-type-options', 'nosniff')
  // RFC 9457 §3.1.1: the type of a problem without one is `about:blank`.
  const body = JSON.stringify({ type: 'about:blank', ...problem })
  return new Response(body, { status: problem.status, headers: all })
}
