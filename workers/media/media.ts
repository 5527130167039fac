import { parseHostAndPath } from '../../http/path.ts'
import { type CacheApi, EdgeCache } from './cache/edge-cache.ts'
import type { CreatePipe } from './cache/object-body.ts'
import { createObjectReader } from './cache/object-reader.ts'
import { decide } from './decide.ts'
import { type Config, parseEnv } from './env.ts'
import * as traces from './request/request-trace.ts'
import { toResponse } from './request/response.ts'
import { createStore, type StoreDeps } from './store/store.ts'

export interface MediaDeps extends Config, Omit<StoreDeps, 'store'> {
  cache: CacheApi
  createPipe: CreatePipe
  /** Returns a number from 0 to 1, for sampling. */
  random: () => number
  log: (line: traces.LogLine) => void
}
export type Media = (request: Request, waitUntil: traces.WaitUntil) => Promise<Response>

/** Creates the media worker from its bindings. If these are invalid, each request is logged and gets a 502. */
export function createMediaWorker(
  bindings: Readonly<Record<string, unknown>>,
  deps: Omit<MediaDeps, keyof Config>,
): Media {
  try {
    return createMedia({ ...parseEnv(bindings), ...deps })
  } catch (error) {
    const failure = { type: 'failed', status: 502, reason: String(error) } as const
    const fields = { worker: String(bindings.WORKER_NAME), status: 502, faults: [failure.reason] }
    return async ({ method, url }) => {
      deps.log({ level: 'error', method, ...parseHostAndPath(url), ...fields })
      return toResponse(failure, method, 0, {})
    }
  }
}

/** Creates the media worker from parsed bindings. It serves `/cmp-media/<key>` from cache or store. */
export function createMedia(deps: MediaDeps): Media {
  const { name, version, maxAge, logSample, now, log } = deps
  const edge = new EdgeCache(deps)
  const readObject = createObjectReader({ ...deps, edge, store: createStore(deps) })

  return async (request, waitUntil) => {
    const trace = new traces.RequestTrace(now)
    const { method } = request
    const location = parseHostAndPath(request.url)
    const fields = { worker: name, version, ...location }
    const warn = (error: unknown) =>
      log({ level: 'warn', ...fields, faults: [`after the response: ${error}`] })
    const context = { trace, waitUntil: (work: Promise<unknown>) => waitUntil(work.catch(warn)) }
    const decision = decide(request, location)
    const outcome = decision.type === 'read' ? await readObject(decision, context) : decision
    const diagnostics = traces.toDiagnostics(deps, outcome, trace, now())
    const response = toResponse(outcome, method, maxAge, diagnostics)
    const isHit = 'storedAt' in outcome && !trace.fill && trace.faults.length === 0
    const sampled = isHit && logSample > 1 ? logSample : undefined
    if (!sampled || deps.random() * sampled < 1) {
      const level = outcome.type === 'failed' ? 'error' : 'info'
      const line = { ...fields, method, status: response.status, ms: now() - trace.startedAt }
      log({ level, ...line, ...traces.toLogFields(outcome, trace), ...(sampled && { sampled }) })
    }
    return response
  }
}
