import { randomUUID } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import type { Timing } from '../../http/server-timing.ts'
import type { Logger } from '../log.ts'
import { toApiError, toErrorResponse, unavailable } from '../problem.ts'

/** What is known of one request on its way. */
export interface ApiEnv {
  Variables: { requestId: string; timings: Timing[]; verdict: 'hit' | 'miss' | undefined }
}
export type ApiContext = Context<ApiEnv>

const REQUEST_ID = /^[\w.=:-]{8,128}$/

/** Names each request and writes one line about it; its query string may hold what readers typed, so it stays out. */
export function createRequestLog(log: Logger): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    const started = performance.now()
    const given = context.req.header('x-request-id') ?? ''
    context.set('requestId', REQUEST_ID.test(given) ? given : randomUUID())
    context.set('timings', [])
    await next()
    log.info({
      request_id: context.get('requestId'),
      method: context.req.method,
      path: context.req.path,
      status: context.res.status,
      cache: context.get('verdict'),
      ms: Math.round((performance.now() - started) * 100) / 100,
    })
  }
}

/** Turns what was thrown into the one error shape; the inside of a 5xx goes to the log, under the same request id. */
export function createErrorHandler(log: Logger): (error: Error, context: ApiContext) => Response {
  return (error, context) => {
    const requestId = context.get('requestId')
    const { code, cause } = toApiError(error)
    if (code === 'internal_error') log.error({ request_id: requestId, err: cause }, 'failed')
    if (code === 'service_unavailable')
      log.error({ request_id: requestId, error: String(cause ?? error.message) }, 'unavailable')
    return toErrorResponse(error, requestId)
  }
}

// The site worker gives up after this long, so nothing is worth more.
const DEADLINE = 5000

/** Answers 503 when a request takes too long, whatever it waits for. */
export function createDeadline(milliseconds = DEADLINE): MiddlewareHandler<ApiEnv> {
  return async (_context, next) => {
    const { promise: expiry, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(unavailable('deadline')), milliseconds)
    await Promise.race([next(), expiry]).finally(() => clearTimeout(timer))
  }
}

/** Waits for the work and notes its time for Server-Timing. */
export async function timed<T>(context: ApiContext, name: string, work: Promise<T>): Promise<T> {
  const started = performance.now()
  try {
    return await work
  } finally {
    context.get('timings').push({ name, duration: performance.now() - started })
  }
}
