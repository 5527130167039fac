import { toLinkHeader } from '../contract/link.ts'
import { CACHE_POLICY } from '../contract/policy.ts'
import { toCacheControl } from '../http/cache-control.ts'
import { decideCoding } from './cache/content-encoding.ts'
import {
  type CachedResponse,
  compress,
  type ResponseCache,
  toCachedResponse,
  toLinkResponse,
} from './cache/response-cache.ts'
import type { Endpoint, EndpointResult, ReadRequest } from './endpoint.ts'
import { type ApiContext, timed } from './middleware/request-log.ts'
import type { OmissionLog } from './omissions/omission-log.ts'
import { repair } from './omissions/repair.ts'
import type { Omission, ReportOmission } from './omissions/source-row.ts'
import { parseQuery } from './parameters.ts'
import { ApiError } from './problem.ts'
import { respond } from './respond.ts'
import type { ResolveSite } from './site/resolve.ts'

interface HandlerDeps {
  resolveSite: ResolveSite
  responseCache: ResponseCache
  omissionLog: OmissionLog
  isPreviewSecret(secret: string): boolean
}

type EndpointRequest = Omit<ReadRequest<unknown>, 'report'>

const PRIVATE = toCacheControl({ private: true, noStore: true })

/**
 * Creates the handler of an endpoint. It parses the parameters, finds the site, loads the response from the cache or
 * the database, and evaluates the preconditions of the request.
 */
export function createHandler(
  endpoint: Endpoint,
  { resolveSite, responseCache, omissionLog, isPreviewSecret }: HandlerDeps,
): (context: ApiContext) => Promise<Response> {
  const acceptsPreview = endpoint.requiresPreviewSecret !== undefined
  const publicCacheControl = toCacheControl({ public: true, ...CACHE_POLICY[endpoint.policy] })
  const vary = ['Accept-Encoding', 'Authorization', ...(acceptsPreview ? ['X-CMS-Preview'] : [])]

  return async (context) => {
    const parameters = parseQuery(endpoint.parameters, context.req.url)
    const isPreview = hasPreviewSecret(context.req.header('x-cms-preview'))
    if (endpoint.requiresPreviewSecret?.(parameters) && !isPreview) throw new ApiError('forbidden')
    const { site: input = '', slug = '' } = context.req.param()
    const site = await timed(context, 'site', resolveSite(input))
    const request = { site, slug, parameters, isPreview }
    const response = await timed(
      context,
      'response',
      isPreview ? load(request) : loadCached(context, request),
    )
    const cacheControl = isPreview ? PRIVATE : publicCacheControl
    return respond(context, { response, site, cacheControl, vary })
  }

  function hasPreviewSecret(secret: string | undefined): boolean {
    return acceptsPreview && secret !== undefined && isPreviewSecret(secret)
  }

  async function loadCached(
    context: ApiContext,
    request: EndpointRequest,
  ): Promise<CachedResponse> {
    const { site, slug, parameters } = request
    // Each endpoint has its own policy, so the policy identifies the endpoint.
    const key = `${endpoint.policy} ${site.id} ${site.cacheVersion} ${slug} ${JSON.stringify(parameters)}`
    const { response, hit } = await responseCache.get(key, () => load(request))
    context.set('cacheResult', hit ? 'hit' : 'miss')
    const coding = decideCoding(context.req.header('accept-encoding'), response.length)
    if (!coding) return response
    const encoded = await responseCache.get(`${coding} ${key}`, () => compress(response, coding))
    return encoded.response
  }

  async function load(request: EndpointRequest): Promise<CachedResponse> {
    const { site } = request
    const omissions: Omission[] = [...site.omissions]
    const report = (omission: Omission): void => void omissions.push(omission)
    try {
      return await serialise(endpoint, await endpoint.read({ ...request, report }), report)
    } finally {
      omissionLog.record(site, omissions)
    }
  }
}

async function serialise(
  endpoint: Endpoint,
  result: EndpointResult<unknown>,
  report: ReportOmission,
): Promise<CachedResponse> {
  switch (result.type) {
    case 'value':
      return toCachedResponse([JSON.stringify(repair(endpoint.response, result.value, report))])
    case 'pieces':
      return toCachedResponse(result.pieces)
    // A 204: the slug exists only in these other languages.
    case 'otherLanguages':
      return toLinkResponse(toLinkHeader(result.alternates))
    default:
      return result satisfies never
  }
}
