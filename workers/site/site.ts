import { toServerTiming } from '../../http/server-timing.ts'
import { followChanges } from './admin/changes.ts'
import { answerHealth } from './admin/health.ts'
import { answerPreview } from './admin/preview.ts'
import { answerPurge } from './admin/purge.ts'
import { createVoid } from './admin/void.ts'
import { toPageResponse, toPlainResponse, toUnavailableResponse } from './answer.ts'
import { createEdgeStore } from './cache/edge.ts'
import { createFlights } from './cache/flight.ts'
import { createKvStore } from './cache/kv.ts'
import { createLayers, type Target } from './cache/layers.ts'
import { createRecords } from './cache/records.ts'
import { type Decision, decideRequest } from './decide.ts'
import type { Config } from './env.ts'
import { toPageTarget, toSearchTarget } from './page.ts'
import type { Ports, Scope } from './ports.ts'
import { createScope } from './scope.ts'
import { createSettings } from './settings.ts'

export type Site = {
  fetch(request: Request, waitUntil: Scope['background']): Promise<Response>
  scheduled(waitUntil: Scope['background']): Promise<void>
}

/** One host's site. All that an isolate remembers lives in here; all that it touches comes in by the ports. */
export function createSite(config: Config, ports: Ports): Site {
  const records = createRecords(ports, config.host)
  const edge = createEdgeStore(ports.edge, config.host)
  const kv = createKvStore(ports.kv)
  const layers = createLayers({ edge, kv, records, flights: createFlights(ports), ports })
  const readSettings = createSettings({ config, ports, layers, records })
  const voids = createVoid({ config, ports, records })
  const tools = { config, ports, records, readSettings, voids }

  return {
    async fetch(request, waitUntil) {
      const started = ports.now()
      const scope = createScope(ports, waitUntil)
      const decision = decideRequest(request, config.host)
      const response = await act(decision, request, scope).catch((error: unknown) => {
        ports.log('error', { event: 'failure', decision: decision.type, error: String(error) })
        return toUnavailableResponse()
      })
      if (scope.timings.length > 0)
        response.headers.set('server-timing', toServerTiming(scope.timings))
      logRequest(request, decision, response, started)
      return response
    },
    scheduled: (waitUntil) => followChanges(tools, createScope(ports, waitUntil)),
  }

  async function act(decision: Decision, request: Request, scope: Scope): Promise<Response> {
    switch (decision.type) {
      case 'purge':
        return answerPurge(request, tools)
      case 'health':
        return answerHealth(request, tools, scope)
      case 'misdirected':
        return toPlainResponse(421, 'This host is not served here.')
      case 'not-allowed':
        return toPlainResponse(405, 'Pages are read.', { allow: 'GET, HEAD' })
      case 'nowhere':
        return toPlainResponse(404, 'There is nothing here.')
      case 'preview':
        return answerPreview(request, decision, tools, scope)
      case 'redirect':
        return toPlainResponse(301, decision.location, { location: decision.location })
      case 'search': {
        const reader = request.headers.get('cf-connecting-ip') ?? 'unknown'
        if (!(await ports.allowsSearch(reader)))
          return toPlainResponse(429, 'Too many searches.', { 'retry-after': '60' })
        return read(toSearchTarget(tools, decision.path, decision.query), request, scope)
      }
      case 'page':
        return read(toPageTarget(tools, decision.path), request, scope)
      default:
        return decision satisfies never
    }
  }

  async function read(target: Target, request: Request, scope: Scope): Promise<Response> {
    return toPageResponse(request, await layers.read(target, scope), ports.now())
  }

  function logRequest(
    request: Request,
    decision: Decision,
    { status, headers }: Response,
    started: number,
  ): void {
    ports.log('info', {
      event: 'request',
      method: request.method,
      host: config.host,
      path: new URL(request.url).pathname,
      decision: decision.type,
      status,
      cache: headers.get('cache-status'),
      milliseconds: ports.now() - started,
    })
  }
}
