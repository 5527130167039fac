import { toRawPlace } from '../../http/path.ts'
import { createFiller, type FillOptions } from './cache/cache-fill.ts'
import { createEdge, type EdgeCache } from './cache/edge.ts'
import { createReader, type WaitUntil } from './cache/read.ts'
import { decide } from './decide.ts'
import type { Config } from './env.ts'
import { createVisit, type Line, toAccount, toDiagnostics } from './request/request-trace.ts'
import { createRespond } from './request/response.ts'
import { createStore, type StoreOptions } from './store/store.ts'

export type MediaOptions = Config &
  Pick<StoreOptions, 'fetch' | 'now' | 'patience'> & {
    cache: EdgeCache
    createPipe: FillOptions['createPipe']
    log: (line: Line) => void
  }
export type Media = (request: Request, waitUntil: WaitUntil) => Promise<Response>

/** The media worker: `/cmp-media/<key>` from the edge cache, or else from the store. */
export function createMedia(options: MediaOptions): Media {
  const { name, version, maxAge, patience, now, log } = options
  const edge = createEdge(options)
  const store = createStore(options)
  const readWhole = async (key: string) => (await store(key, now() + patience.totalMs)).answer
  const fill = createFiller({ ...options, edge, readWhole, chunkMs: patience.chunkMs })
  const read = createReader({ edge, store, fill, now })
  const respond = createRespond(maxAge)

  return async (request, waitUntil) => {
    const visit = createVisit(now(), patience.totalMs)
    const { method } = request
    const place = toRawPlace(request.url)
    const decision = decide(request, place)
    const behind = (work: Promise<unknown>) =>
      waitUntil(work.catch((error) => log(toFault({ worker: name, version, ...place }, error))))
    const answer = decision.type === 'read' ? await read(decision, visit, behind) : decision
    const diagnostics = toDiagnostics(options, answer, visit, now())
    const response = respond(answer, method, diagnostics)
    const { status } = response
    const level = answer.type === 'failed' ? 'error' : 'info'
    const ms = now() - visit.startedAt
    log({
      level,
      worker: name,
      version,
      method,
      ...place,
      status,
      ms,
      ...toAccount(answer, visit),
    })
    return response
  }
}

function toFault(fields: Record<string, string>, error: unknown): Line {
  return { level: 'warn', ...fields, faults: [`behind the answer: ${error}`] }
}
