import * as z from 'zod/mini'
import { toAlternates } from '../contract/link.ts'
import { CACHE_POLICY } from '../contract/policy.ts'
import { toCacheControl } from '../http/cache-control.ts'
import { decideCoding } from './cache/content-encoding.ts'
import {
  type Answer,
  type AnswerCache,
  encode,
  toAnswer,
  toLinkAnswer,
} from './cache/response-cache.ts'
import type { Endpoint, Reading, ReadRequest } from './endpoint.ts'
import { type ApiContext, timed } from './middleware/request-log.ts'
import { parseQuery } from './parameters.ts'
import { ApiError } from './problem.ts'
import { respond } from './respond.ts'
import type { ResolveSite } from './site/resolve.ts'

interface Dependencies {
  resolveSite: ResolveSite
  answers: AnswerCache
  isPreviewSecret(secret: string): boolean
}

const PRIVATE = toCacheControl({ private: true, noStore: true })

/** Answers one endpoint: parameters, site, then the cache or the database, then the conditional response. */
export function createHandler(
  endpoint: Endpoint,
  { resolveSite, answers, isPreviewSecret }: Dependencies,
): (context: ApiContext) => Promise<Response> {
  const shared = toCacheControl({ public: true, ...CACHE_POLICY[endpoint.policy] })

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
      preview ? load(endpoint, request) : recall(context, request),
    )
    return respond(context, { answer, site, cacheControl: preview ? PRIVATE : shared })
  }

  function isPreview(secret: string | undefined): boolean {
    return endpoint.isGated !== undefined && secret !== undefined && isPreviewSecret(secret)
  }

  async function recall(context: ApiContext, request: ReadRequest<unknown>): Promise<Answer> {
    const { site, slug, parameters } = request
    const key = `${endpoint.policy} ${site.id} ${site.epoch} ${slug} ${JSON.stringify(parameters)}`
    const { answer, hit } = await answers.get(key, () => load(endpoint, request))
    context.set('verdict', hit ? 'hit' : 'miss')
    const coding = decideCoding(context.req.header('accept-encoding'), answer.length)
    if (!coding) return answer
    const encoded = await answers.get(`${coding} ${key}`, () => encode(answer, coding))
    return encoded.answer
  }
}

async function load(endpoint: Endpoint, request: ReadRequest<unknown>): Promise<Answer> {
  const reading: Reading<unknown> = await endpoint.read(request)
  switch (reading.type) {
    case 'value':
      return toAnswer([JSON.stringify(checked(endpoint, reading.value))])
    case 'pieces':
      return toAnswer(reading.pieces)
    case 'elsewhere':
      return toLinkAnswer(toAlternates(reading.alternates))
    default:
      return reading satisfies never
  }
}

/** What the contract says, or a failure that names the field at fault. */
function checked(endpoint: Endpoint, value: unknown): unknown {
  const parsed = z.safeParse(endpoint.answer, value)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`${endpoint.policy} breaks the contract at ${faults.join('; ')}`)
}
