import type { Context, MiddlewareHandler } from 'hono'
import type { ServerTimingMetric } from '../../http/server-timing.ts'
import type { Logger } from '../log.ts'
import { toApiError, toErrorResponse } from '../problem.ts'

/** Variables of one request. */
export interface ApiEnv {
  Variables: {
    requestId: string
    timings: ServerTimingMetric[]
    cacheResult: 'hit' | 'miss' | undefined
  }
}
export type ApiContext = Context<ApiEnv>

/**
 * Creates the middleware that logs one line per request, without the query string, which may contain a visitor's
 * search. Successful requests for the change log arrive about every five seconds, so their level is `debug`.
 */
export function createRequestLog(log: Logger): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    const started = performance.now()
    context.set('timings', [])
    await next()
    const { path } = context.req
    const level = context.res.status === 200 && path.endsWith('/changes') ? 'debug' : 'info'
    log[level]({
      request_id: context.get('requestId'),
      method: context.req.method,
      path,
      status: context.res.status,
      cache: context.get('cacheResult'),
      ms: Math.round((performance.now() - started) * 100) / 100,
    })
  }
}

/** Creates the handler of thrown errors. It returns a problem response, and logs the cause of a 500 or 503. */
export function createErrorHandler(log: Logger): (error: Error, context: ApiContext) => Response {
  return (error, context) => {
    const requestId = context.get('requestId')
    const { code, cause } = toApiError(error)
    if (code === 'internal_error')
      log.error({ request_id: requestId, err: cause }, 'request failed with 500')
    if (code === 'service_unavailable')
      log.error(
        { request_id: requestId, error: String(cause ?? error.message) },
        'request failed with 503',
      )
    return toErrorResponse(error, requestId)
  }
}

/** Awaits the work and records its duration for Server-Timing. */
export async function timed<T>(context: ApiContext, name: string, work: Promise<T>): Promise<T> {
  const started = performance.now()
  try {
    return await work
  } finally {
    context.get('timings').push({ name, duration: performance.now() - started })
  }
}
