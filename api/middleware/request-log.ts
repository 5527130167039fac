import type { Context, MiddlewareHandler } from 'hono'
import type { ServerTimingMetric } from '../../http/server-timing.ts'
import type { Logger } from '../log.ts'
import { toApiError, toErrorResponse } from '../problem.ts'

/** Variables that middleware keeps for one request. */
export interface ApiEnv {
  Variables: {
    requestId: string
    timings: ServerTimingMetric[]
    cacheResult: 'hit' | 'miss' | undefined
  }
}
export type ApiContext = Context<ApiEnv>

/** Writes one line per request, without its query string, which may hold what a visitor typed. */
export function createRequestLog(log: Logger): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    const started = performance.now()
    context.set('timings', [])
    await next()
    log.info({
      request_id: context.get('requestId'),
      method: context.req.method,
      path: context.req.path,
      status: context.res.status,
      cache: context.get('cacheResult'),
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

/** Waits for the work and notes its time for Server-Timing. */
export async function timed<T>(context: ApiContext, name: string, work: Promise<T>): Promise<T> {
  const started = performance.now()
  try {
    return await work
  } finally {
    context.get('timings').push({ name, duration: performance.now() - started })
  }
}
