import { toClientNetwork } from '../../http/client-network.ts'
import { answerHealth } from './admin/health.ts'
import { answerPreview, keepPrivate } from './admin/preview.ts'
import { answerPurge } from './admin/purge.ts'
import { createEdgeStore } from './cache/edge.ts'
import { createKvStore } from './cache/kv.ts'
import { toPageTarget, toSearchTarget } from './cache/page-entry.ts'
import { createClaims } from './cache/revalidation-lock.ts'
import { createSettings } from './cache/settings-entry.ts'
import { createFlights } from './cache/single-flight.ts'
import { Layers, type Target } from './cache/tiered-cache.ts'
import { type Decision, decideRequest } from './decide.ts'
import type { Config } from './env.ts'
import { followChanges } from './invalidation/follow-changes.ts'
import { createVoid } from './invalidation/invalidator.ts'
import { Records } from './invalidation/records.ts'
import { toPageResponse, toPlainResponse, toUnavailableResponse } from './page-response.ts'
import type { Ports, Scope } from './ports.ts'
import { createOpenClient } from './read-api/open-client.ts'
import { redirectToFinal } from './redirect.ts'
import { createScope, type TimedScope } from './scope.ts'
import { secure } from './security.ts'

export type Site = {
  fetch(request: Request, waitUntil: Scope['background']): Promise<Response>
  scheduled(waitUntil: Scope['background']): Promise<void>
}

/** One host's site. All that an isolate remembers lives in here; all that it touches comes in by the ports. */
export function createSite(config: Config, ports: Ports): Site {
  const tools = createTools(config, ports)

  return {
    async fetch(request, waitUntil) {
      const started = ports.now()
      const scope = createScope(ports, waitUntil)
      const url = new URL(request.url)
      const decision = decideRequest({ url, raw: request.url, method: request.method }, config.host)
      const response = await act(decision, request, tools, scope).catch((error: unknown) => {
        ports.log('error', { event: 'failure', decision: decision.type, error: String(error) })
        const response = toUnavailableResponse()
        return decision.type === 'preview' ? keepPrivate(response) : response
      })
      const milliseconds = ports.now() - started
      ports.log('info', toLogLine(request.method, url, decision, response, milliseconds))
      return response
    },
    scheduled: (waitUntil) => followChanges(tools, createScope(ports, waitUntil)),
  }
}

type Tools = ReturnType<typeof createTools>

function createTools(config: Config, ports: Ports) {
  const openClient = createOpenClient(config, ports)
  const records = new Records(ports, config.host)
  const layers = new Layers({
    edge: createEdgeStore(ports.edge, config.host),
    kv: createKvStore(ports.kv),
    records,
    flights: createFlights(ports),
    claimRefresh: createClaims(ports),
    ports,
  })
  const readSettings = createSettings({ config, ports, layers, records, openClient })
  const voids = createVoid({ config, ports, records })
  return { config, ports, openClient, records, layers, readSettings, voids }
}

async function act(
  decision: Decision,
  request: Request,
  tools: Tools,
  scope: TimedScope,
): Promise<Response> {
  switch (decision.type) {
    case 'purge':
      return secure(await answerPurge(request, tools))
    case 'health':
      return secure(await answerHealth(request, tools, scope))
    case 'misdirected':
      return toPlainResponse(421, 'This host is not served here.')
    case 'insecure':
      return toPlainResponse(403, 'Use https.')
    case 'method-not-allowed':
      return toPlainResponse(405, 'Method not allowed. Use GET or HEAD.', { allow: 'GET, HEAD' })
    case 'not-found':
      return toPlainResponse(404, 'Not found.')
    case 'preview':
      return secure(await answerPreview(request, decision, tools, scope))
    case 'redirect':
      return redirectToFinal(decision, (path) =>
        tools.layers.read(toPageTarget(tools, path), scope),
      )
    case 'search':
      if (!(await tools.ports.allowsSearch(toReader(request))))
        return toPlainResponse(429, 'Too many searches.', { 'retry-after': '10' })
      return answerPage(request, toSearchTarget(tools, decision.path, decision.query), tools, scope)
    case 'page':
      return answerPage(request, toPageTarget(tools, decision.path), tools, scope)
    default:
      return decision satisfies never
  }
}

async function answerPage(
  request: Request,
  target: Target,
  { layers, ports }: Tools,
  scope: TimedScope,
): Promise<Response> {
  const served = await layers.read(target, scope)
  return toPageResponse(request, served, ports.now(), scope.timings)
}

const toReader = (request: Request): string =>
  toClientNetwork(request.headers.get('cf-connecting-ip') ?? 'unknown')

// Never a query: it may carry a preview token, or what somebody searched for.
function toLogLine(
  method: string,
  { hostname, pathname }: URL,
  decision: Decision,
  { status, headers }: Response,
  milliseconds: number,
) {
  return {
    event: 'request',
    method,
    host: hostname,
    path: pathname,
    decision: decision.type,
    status,
    cache: headers.get('cache-status'),
    milliseconds,
  }
}
