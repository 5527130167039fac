import { toClientNetwork } from '../../http/client-network.ts'
import { handleHealth } from './admin/health.ts'
import { handlePreview, markPrivate } from './admin/preview.ts'
import { handlePurge } from './admin/purge.ts'
import { createEdgeStore } from './cache/edge.ts'
import { createKvStore } from './cache/kv.ts'
import { toPageTarget, toSearchTarget } from './cache/page-entry.ts'
import { readPage } from './cache/read-page.ts'
import { createRevalidationLock } from './cache/revalidation-lock.ts'
import { createReadSettings } from './cache/settings-entry.ts'
import { type Target, TieredCache } from './cache/tiered-cache.ts'
import { type Decision, decideRequest } from './decide.ts'
import type { Config } from './env.ts'
import { runHousekeeping } from './invalidation/delete-purged-entries.ts'
import { followChanges } from './invalidation/follow-changes.ts'
import { InvalidationLog } from './invalidation/log.ts'
import { type HandledRequest, isFreshEdgeHit, toLogFields } from './log-line.ts'
import { toPageResponse, toPlainResponse, toUnavailableResponse } from './page-response.ts'
import type { Ports, Scope } from './ports.ts'
import { createOpenClient } from './read-api/open-client.ts'
import { redirectInOneHop } from './redirect.ts'
import { SITEMAP_PATH } from './rendering/route-path.ts'
import { createScope, type TimedScope } from './scope.ts'
import { addSecurityHeaders } from './security.ts'
import { createSingleFlight } from './single-flight.ts'

export interface Site {
  fetch(request: Request, waitUntil: Scope['background']): Promise<Response>
  scheduled(waitUntil: Scope['background']): Promise<void>
}

/** Creates the handlers of one isolate, which share its state. */
export function createSite(config: Config, ports: Ports): Site {
  const deps = createDeps(config, ports)

  return {
    async fetch(request, waitUntil) {
      const startedAt = ports.now()
      const scope = createScope(ports, waitUntil)
      const url = new URL(request.url)
      const decision = decideRequest(
        { url, unparsedUrl: request.url, method: request.method },
        config.host,
      )
      const handled = await handle(decision, request, deps, scope).catch((error: unknown) => {
        ports.logEvent('error', { event: 'failure', decision: decision.type, error: String(error) })
        const response = toUnavailableResponse()
        return { response: decision.type === 'preview' ? markPrivate(response) : response }
      })
      const isFreshHit = isFreshEdgeHit(handled)
      if (!isFreshHit || ports.random() * config.logSample < 1) {
        const milliseconds = ports.now() - startedAt
        const fields = toLogFields(
          request.method,
          url,
          decision,
          handled,
          milliseconds,
          scope.timings,
        )
        ports.logEvent('info', isFreshHit ? { ...fields, sampled: config.logSample } : fields)
      }
      return handled.response
    },
    async scheduled(waitUntil) {
      const scope = createScope(ports, waitUntil)
      await followChanges(deps, scope)
      await logFailure(
        'housekeeping',
        runHousekeeping({ host: config.host, ports }, deps.log),
        ports,
      )
      // Renders the sitemap in advance, because that takes longer than a visitor should wait.
      const sitemap = deps.cache.read(toPageTarget(deps, SITEMAP_PATH), scope)
      await logFailure('sitemap', sitemap, ports)
    },
  }
}

async function logFailure(
  event: string,
  work: Promise<unknown>,
  { logEvent }: Ports,
): Promise<void> {
  await work.catch((error: unknown) => logEvent('error', { event, error: String(error) }))
}

type Deps = ReturnType<typeof createDeps>

function createDeps(config: Config, ports: Ports) {
  const openClient = createOpenClient(config, ports)
  const log = new InvalidationLog({
    host: config.host,
    ports,
    onRunDue: (scope) => followChanges({ config, ports, log, openClient, readSettings }, scope),
  })
  const cache = new TieredCache({
    edge: createEdgeStore(ports.edge),
    kv: createKvStore(ports.kv),
    log,
    singleFlight: createSingleFlight(ports),
    lockRevalidation: createRevalidationLock(ports),
    ports,
  })
  const readSettings = createReadSettings({ config, ports, cache, log, openClient })
  return { config, ports, openClient, log, cache, readSettings }
}

async function handle(
  decision: Decision,
  request: Request,
  deps: Deps,
  scope: TimedScope,
): Promise<HandledRequest> {
  switch (decision.type) {
    case 'purge':
      return { response: addSecurityHeaders(await handlePurge(request, deps)) }
    case 'health':
      return { response: addSecurityHeaders(await handleHealth(request, deps, scope)) }
    case 'misdirected':
      return { response: toPlainResponse(421, 'This host is not served here.') }
    case 'insecure':
      return { response: toPlainResponse(403, 'Use https.') }
    case 'method-not-allowed': {
      const text = 'Method not allowed. Use GET or HEAD.'
      return { response: toPlainResponse(405, text, { allow: 'GET, HEAD' }) }
    }
    case 'not-found':
      return { response: toPlainResponse(404, 'Not found.') }
    case 'preview':
      return { response: addSecurityHeaders(await handlePreview(request, decision, deps, scope)) }
    case 'redirect': {
      const read = (path: string) => deps.cache.read(toPageTarget(deps, path), scope)
      return { response: await redirectInOneHop(decision, read) }
    }
    case 'search':
      if (!(await deps.ports.allowsSearch(toVisitorNetwork(request))))
        return { response: toPlainResponse(429, 'Too many searches.', { 'retry-after': '10' }) }
      return respondWithPage(
        request,
        toSearchTarget(deps, decision.path, decision.query),
        deps,
        scope,
      )
    case 'page':
      return respondWithPage(request, toPageTarget(deps, decision.path), deps, scope)
    default:
      return decision satisfies never
  }
}

async function respondWithPage(
  request: Request,
  target: Target,
  deps: Deps,
  scope: TimedScope,
): Promise<HandledRequest> {
  const served = await readPage(deps, target, scope)
  return { response: toPageResponse(request, served, deps.ports.now(), scope.timings), served }
}

const toVisitorNetwork = (request: Request): string =>
  toClientNetwork(request.headers.get('cf-connecting-ip') ?? 'unknown')
