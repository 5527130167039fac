import { parseHostAndPath } from '../../http/path.ts'
import { type CacheApi, createEdgeCache } from './cache/edge-cache.ts'
import type { CreatePipe } from './cache/object-body.ts'
import { createObjectReader } from './cache/object-reader.ts'
import { decide } from './decide.ts'
import { type Config, parseEnv } from './env.ts'
import {
  type LogLine,
  RequestTrace,
  toDiagnostics,
  toLogFields,
  type WaitUntil,
} from './request/request-trace.ts'
import { createRespond } from './request/response.ts'
import { createStore, type RetryPolicy, type StoreDeps } from './store/store.ts'

export interface MediaDeps extends Config, Pick<StoreDeps, 'fetch' | 'now'> {
  cache: CacheApi
  createPipe: CreatePipe
  retries: RetryPolicy
  /** Milliseconds for each chunk of a store's body. */
  chunkMs: number
  /** From 0 to 1, for sampling. */
  random: () => number
  log: (line: LogLine) => void
}
export type Media = (request: Request, waitUntil: WaitUntil) => Promise<Response>

/** The media worker with its bindings; every request is a logged 502 where they are not complete. */
export function createMediaWorker(
  bindings: Readonly<Record<string, unknown>>,
  deps: Omit<MediaDeps, keyof Config>,
): Media {
  try {
    return createMedia({ ...parseEnv(bindings), ...deps })
  } catch (error) {
    const respond = createRespond(0)
    const failure = { type: 'failed', status: 502, reason: String(error) } as const
    const fields = { worker: String(bindings.WORKER_NAME), status: 502, faults: [failure.reason] }
    return async ({ method, url }) => {
      deps.log({ level: 'error', method, ...parseHostAndPath(url), ...fields })
      return respond(failure, method, {})
    }
  }
}

/** The media worker: `/cmp-media/<key>` from the edge cache, or else from the store. */
export function createMedia(deps: MediaDeps): Media {
  const { name, version, maxAge, logSample, now, log } = deps
  const edge = createEdgeCache(deps)
  const readObject = createObjectReader({ ...deps, edge, store: createStore(deps) })
  const respond = createRespond(maxAge)

  return async (request, waitUntil) => {
    const trace = new RequestTrace(now)
    const { method } = request
    const place = parseHostAndPath(request.url)
    const decision = decide(request, place)
    const fields = { worker: name, version, ...place }
    const inBackground: WaitUntil = (work) =>
      waitUntil(
        work.catch((error) =>
          log({ level: 'warn', ...fields, faults: [`after the response: ${error}`] }),
        ),
      )
    const answer =
      decision.type === 'read'
        ? await readObject(decision, { trace, waitUntil: inBackground })
        : decision
    const isRead = answer.type === 'failed' || 'storedAt' in answer
    const diagnostics = isRead ? toDiagnostics(deps, answer, trace, now()) : {}
    const response = respond(answer, method, diagnostics)
    const isPlainHit = 'storedAt' in answer && !trace.fill && trace.faults.length === 0
    const isSampled = logSample > 1 && isPlainHit
    if (!isSampled || deps.random() * logSample < 1) {
      const level = answer.type === 'failed' ? 'error' : 'info'
      const { status } = response
      const ms = now() - trace.startedAt
      const line = { level, ...fields, method, status, ms } as const
      log({ ...line, ...toLogFields(answer, trace), ...(isSampled && { sampled: logSample }) })
    }
    return response
  }
}
