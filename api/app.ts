import { type Context, Hono } from 'hono'
import { etag } from 'hono/etag'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { requestId } from 'hono/request-id'
import { timeout } from 'hono/timeout'
import * as z from 'zod/mini'
import { createAuthorEndpoint } from './authors/routes.ts'
import { createResponseCache } from './cache/response-cache.ts'
import { createChangesEndpoint } from './changes/routes.ts'
import { createCursors } from './cursor.ts'
import type { ApiDatabase } from './database.ts'
import type { Endpoint } from './endpoint.ts'
import { createHandler } from './handler.ts'
import { createReadinessHandler, handleHealth, handlePing } from './health.ts'
import { createListEndpoint } from './lists/routes.ts'
import type { Logger } from './log.ts'
import { createSecretCheck } from './middleware/api-key.ts'
import { createAuth } from './middleware/auth.ts'
import { type ApiEnv, createErrorHandler, createRequestLog } from './middleware/request-log.ts'
import { createOmissionLog } from './omissions/omission-log.ts'
import { toOpenApi } from './openapi/document.ts'
import { createPageEndpoint } from './pages/routes.ts'
import { ApiError, notFound, toErrorResponse, unavailable } from './problem.ts'
import { createSettingsEndpoint } from './settings/routes.ts'
import { createSiteResolver } from './site/resolve.ts'
import { createSitemapEndpoint } from './sitemap/routes.ts'
import { addDeprecationHeaders, addSuccessorLink, createV1Handler } from './v1.ts'

export interface AppDeps {
  database: ApiDatabase
  log: Logger
  keyDigests: readonly string[]
  previewDigests: readonly string[]
  v1Enabled: boolean
  /** Serves documentation and readiness without a key; only for the local server. */
  isLocal?: boolean
  /** Serves the pages below `/docs`. The Lambda bundle does not contain their files. */
  docs?: Hono
  /** Bytes of memory for cached responses. */
  cacheBytes?: number
  /** Dimensions of the metric `Omissions` in CloudWatch. */
  metricDimensions?: Record<string, string>
}

const V1_ENDPOINT = '/public/v1/sites/:site'
const CACHE_BYTES = 64 * 1024 * 1024
// The site worker abandons a request to the API after this time.
const DEADLINE_MS = 5000

/** Creates the read API. */
export function createApp(deps: AppDeps): Hono<ApiEnv> {
  const { database, log } = deps
  const endpoints = createEndpoints(database)
  const resolveSite = createSiteResolver(database.querySite)
  const responseCache = createResponseCache(deps.cacheBytes ?? CACHE_BYTES)
  const omissionLog = createOmissionLog(log, deps.metricDimensions)
  const isPreviewSecret = createSecretCheck(deps.previewDigests)
  const document = toOpenApi(endpoints, deps.v1Enabled)
  const app = new Hono<ApiEnv>()
  // zod/mini has no error messages of its own.
  z.config(z.locales.en())

  app.onError(createErrorHandler(log))
  app.notFound((context) =>
    toErrorResponse(notFound('No endpoint has this path.'), context.get('requestId')),
  )
  app.use(
    requestId(),
    createRequestLog(log),
    timeout(DEADLINE_MS, () => unavailable({ cause: 'deadline' })),
  )
  if (deps.v1Enabled)
    app.use('/public/v1/*', addDeprecationHeaders).use(V1_ENDPOINT, addSuccessorLink)
  app.use(createAuth(deps), methodNotAllowed({ app, onMethodNotAllowed }))

  app.get('/healthz', handleHealth)
  app.get('/readyz', createReadinessHandler(database.query, omissionLog))
  app.use('/openapi.json', etag())
  app.get('/openapi.json', (context) => context.json(document))
  if (deps.docs) app.route('/docs', deps.docs)
  app.get('/public/v2/ping', handlePing)
  for (const endpoint of endpoints) {
    const handler = createHandler(endpoint, {
      resolveSite,
      responseCache,
      omissionLog,
      isPreviewSecret,
    })
    app.get(`/public/v2/sites/:site${endpoint.path}`, handler)
  }
  if (deps.v1Enabled) app.get(V1_ENDPOINT, createV1Handler(resolveSite))
  return app
}

/** Creates the endpoints below `/public/v2/sites/{site}`. */
export function createEndpoints({ query }: Pick<ApiDatabase, 'query'>): Endpoint[] {
  const cursors = createCursors(query)
  return [
    createSettingsEndpoint(query),
    createPageEndpoint(query),
    createAuthorEndpoint(query),
    createListEndpoint(query, cursors),
    createSitemapEndpoint(query, cursors),
    createChangesEndpoint(query),
  ]
}

function onMethodNotAllowed(context: Context<ApiEnv>, methods: readonly string[]): Response {
  const error = new ApiError('method_not_allowed', { headers: { allow: methods.join(', ') } })
  return toErrorResponse(error, context.get('requestId'))
}
