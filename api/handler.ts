import { toAlternates } from '../contract/link.ts'
import { CACHE_POLICY } from '../contract/policy.ts'
import { toCacheControl } from '../http/cache-control.ts'
import { decideCoding } from './cache/content-encoding.ts'
import {
  type CachedResponse,
  encode,
  type ResponseCache,
  toAnswer,
  toLinkAnswer,
} from './cache/response-cache.ts'
import type { Endpoint, Reading, ReadRequest } from './endpoint.ts'
import { type ApiContext, timed } from './middleware/request-log.ts'
import type { OmissionLog } from './omissions/omission-log.ts'
import { repair } from './omissions/repair.ts'
import type { Omission, Report } from './omissions/row-origin.ts'
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

type Request = Omit<ReadRequest<unknown>, 'report'>

const PRIVATE = toCacheControl({ private: true, noStore: true })

/** Handler of one endpoint: parameters, site, then the cache or the database, then the conditional response. */
export function createHandler(
  endpoint: Endpoint,
  { resolveSite, responseCache, omissionLog, isPreviewSecret }: HandlerDeps,
): (context: ApiContext) => Promise<Response> {
  const shared = toCacheControl({ public: true, ...CACHE_POLICY[endpoint.policy] })
  const vary = ['Accept-Encoding', 'Authorization', ...(endpoint.isGated ? ['X-CMS-Preview'] : [])]

  return async (context) => {
    const parameters = parseQuery(endpoint.parameters, context.req.url)
    const preview = isPreview(context.req.header('x-cms-preview'))
    if (endpoint.isGated?.(parameters) && !preview) throw new ApiError('forbidden')
    const { site: input = '', slug = '' } = context.req.param()
    const site = await timed(context, 'site', resolveSite(input))
    const request = { site, slug, parameters, preview }
    const answer = await timed(
      context,
      'answer',
      preview ? load(request) : loadCached(context, request),
    )
    const cacheControl = preview ? PRIVATE : shared
    return respond(context, { answer, site, cacheControl, vary })
  }

  function isPreview(secret: string | undefined): boolean {
    return endpoint.isGated !== undefined && secret !== undefined && isPreviewSecret(secret)
  }

  async function loadCached(context: ApiContext, request: Request): Promise<CachedResponse> {
    const { site, slug, parameters } = request
    const key = `${endpoint.policy} ${site.id} ${site.cacheVersion} ${slug} ${JSON.stringify(parameters)}`
    const { answer, hit } = await responseCache.get(key, () => load(request))
    context.set('verdict', hit ? 'hit' : 'miss')
    const coding = decideCoding(context.req.header('accept-encoding'), answer.length)
    if (!coding) return answer
    const encoded = await responseCache.get(`${coding} ${key}`, () => encode(answer, coding))
    return encoded.answer
  }

  async function load(request: Request): Promise<CachedResponse> {
    const { site } = request
    const omissions: Omission[] = [...site.omissions]
    const report = (omission: Omission): void => void omissions.push(omission)
    try {
      return await toAnswerOf(endpoint, await endpoint.read({ ...request, report }), report)
    } finally {
      omissionLog.note(site, omissions)
    }
  }
}

async function toAnswerOf(
  endpoint: Endpoint,
  reading: Reading<unknown>,
  report: Report,
): Promise<CachedResponse> {
  switch (reading.type) {
    case 'value':
      return toAnswer([JSON.stringify(repair(endpoint.answer, reading.value, report))])
    case 'pieces':
      return toAnswer(reading.pieces)
    case 'otherLanguages':
      return toLinkAnswer(toAlternates(reading.alternates))
    default:
      return reading satisfies never
  }
}
