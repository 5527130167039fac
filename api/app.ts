import { type Context, Hono } from 'hono'
import { etag } from 'hono/etag'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { requestId } from 'hono/request-id'
import { timeout } from 'hono/timeout'
import * as z from 'zod/mini'
import { createAuthorEndpoint } from './authors/routes.ts'
import { createAnswerCache } from './cache/response-cache.ts'
import { createChangesEndpoint } from './changes/routes.ts'
import { createCursors } from './cursor.ts'
import type { Database } from './database.ts'
import type { Endpoint } from './endpoint.ts'
import { createHandler } from './handler.ts'
import { answerHealth, answerPing, createReadiness } from './health.ts'
import { createListEndpoint } from './lists/routes.ts'
import type { Logger } from './log.ts'
import { createSecretCheck } from './middleware/api-key.ts'
import { createGate } from './middleware/auth.ts'
import { type ApiEnv, createErrorHandler, createRequestLog } from './middleware/request-log.ts'
import { toOpenApi } from './openapi/document.ts'
import { createPageEndpoint } from './pages/routes.ts'
import { ApiError, notFound, toErrorResponse, unavailable } from './problem.ts'
import { createSettingsEndpoint } from './settings/routes.ts'
import { createSiteResolver } from './site/resolve.ts'
import { createSitemapEndpoint } from './sitemap/routes.ts'
import { createV1Handler, deprecate, nameSuccessor } from './v1.ts'

export interface AppOptions {
  database: Database
  log: Logger
  keyDigests: readonly string[]
  previewDigests: readonly string[]
  v1Enabled: boolean
  /** Documentation and readiness without a key. */
  open?: boolean
  /** The reference page; only the local server has its files. */
  docs?: Hono
  /** How much of memory the answers may take. */
  cacheBytes?: number
}

const V1_ENDPOINT = '/public/v1/sites/:site'
const CACHE_BYTES = 64 * 1024 * 1024
// The site worker stops waiting after this time.
const DEADLINE_MS = 5000

/** The read API as one fetch handler. */
export function createApp(options: AppOptions): Hono<ApiEnv> {
  const { database, log } = options
  const endpoints = createEndpoints(database)
  const resolveSite = createSiteResolver(database.queryFirst)
  const answers = createAnswerCache(options.cacheBytes ?? CACHE_BYTES)
  const isPreviewSecret = createSecretCheck(options.previewDigests)
  const document = toOpenApi(endpoints, options.v1Enabled)
  const app = new Hono<ApiEnv>()
  z.config(z.locales.en())

  app.onError(createErrorHandler(log))
  app.notFound((context) =>
    toErrorResponse(notFound('There is nothing at this path.'), context.get('requestId')),
  )
  app.use(
    requestId(),
    createRequestLog(log),
    timeout(DEADLINE_MS, () => unavailable('deadline')),
  )
  if (options.v1Enabled) app.use('/public/v1/*', deprecate).use(V1_ENDPOINT, nameSuccessor)
  app.use(createGate(options), methodNotAllowed({ app, onMethodNotAllowed }))

  app.get('/healthz', answerHealth)
  app.get('/readyz', createReadiness(database.query))
  app.use('/openapi.json', etag())
  app.get('/openapi.json', (context) => context.json(document))
  if (options.docs) app.route('/docs', options.docs)
  app.get('/public/v2/ping', answerPing)
  for (const endpoint of endpoints) {
    const handler = createHandler(endpoint, { resolveSite, answers, isPreviewSecret })
    app.get(`/public/v2/sites/:site${endpoint.path}`, handler)
  }
  if (options.v1Enabled) app.get(V1_ENDPOINT, createV1Handler(resolveSite))
  return app
}

/** Endpoints 2 to 7, in the order of the specification. */
export function createEndpoints({ query, prisma }: Pick<Database, 'query' | 'prisma'>): Endpoint[] {
  const cursors = createCursors(query)
  return [
    createSettingsEndpoint(prisma),
    createPageEndpoint(query),
    createAuthorEndpoint(prisma),
    createListEndpoint(query, cursors),
    createSitemapEndpoint(query, cursors),
    createChangesEndpoint(query),
  ]
}

function onMethodNotAllowed(context: Context<ApiEnv>, methods: readonly string[]): Response {
  const error = new ApiError('method_not_allowed', { headers: { allow: methods.join(', ') } })
  return toErrorResponse(error, context.get('requestId'))
}
