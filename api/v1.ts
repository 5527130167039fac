import type { MiddlewareHandler } from 'hono'
import { settingsPath } from '../contract/settings.ts'
import type { ApiContext, ApiEnv } from './middleware/request-log.ts'
import { toIdentity } from './site/identity.ts'
import type { ResolveSite } from './site/resolve.ts'

const DEPRECATED = new Date('2026-11-01T00:00:00Z')
const SUNSET = new Date('2027-05-31T00:00:00Z')

/** Adds Deprecation (RFC 9745) and Sunset (RFC 8594) to every response, errors included. */
export const addDeprecationHeaders: MiddlewareHandler<ApiEnv> = async (context, next) => {
  await next()
  const { headers } = context.res
  headers.set('deprecation', `@${DEPRECATED.getTime() / 1000}`)
  headers.set('sunset', SUNSET.toUTCString())
}

/** Adds the `successor-version` link (RFC 5829) to every response of the v1 endpoint, errors included. */
export const addSuccessorLink: MiddlewareHandler<ApiEnv> = async (context, next) => {
  const successor = `/public/v2${settingsPath(context.req.param('site') ?? '')}`
  await next()
  context.res.headers.append('link', `<${successor}>; rel="successor-version"`)
}

/** Creates the handler of `GET /public/v1/sites/{site}`, which returns the identity of the site. */
export function createV1Handler(
  resolveSite: ResolveSite,
): (context: ApiContext) => Promise<Response> {
  return async (context) => {
    const site = await resolveSite(context.req.param('site') ?? '')
    return Response.json(toIdentity(site), {
      headers: { 'cache-control': 'no-store', 'x-request-id': context.get('requestId') },
    })
  }
}
