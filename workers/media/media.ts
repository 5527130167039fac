import { toResponse } from './answer.ts'
import { decide } from './decide.ts'
import { createEdge, type EdgeCache } from './edge.ts'
import type { Config } from './env.ts'
import { createFiller, type FillOptions } from './fill.ts'
import { createFinish } from './object.ts'
import { createReader, type WaitUntil } from './read.ts'
import { createStore, type StoreOptions } from './store.ts'
import { createVisit, type Line, toAccount, toDiagnostics } from './visit.ts'

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
  const finish = createFinish(maxAge)
  const edge = createEdge({ ...options, finish, build: `${version}/${maxAge}` })
  const store = createStore({ ...options, finish })
  const readWhole = async (key: string) => (await store(key)).answer
  const fill = createFiller({ ...options, edge, readWhole, chunkMs: patience.chunkMs })
  const read = createReader({ edge, store, fill, now })

  return async (request, waitUntil) => {
    const visit = createVisit(now())
    const { method, url } = request
    const { host, pathname: path } = new URL(url)
    const decision = decide(request, host)
    const behind = (work: Promise<unknown>) =>
      waitUntil(work.catch((error) => log(toFault(name, path, error))))
    const answer = decision.type === 'read' ? await read(decision, visit, behind) : decision
    const response = toResponse(answer, method, toDiagnostics(options, answer, visit, now()))
    const { status } = response
    const level = answer.type === 'failed' ? 'error' : 'info'
    const ms = now() - visit.startedAt
    log({
      level,
      worker: name,
      version,
      method,
      host,
      path,
      status,
      ms,
      ...toAccount(answer, visit),
    })
    return response
  }
}

function toFault(worker: string, path: string, error: unknown): Line {
  return { level: 'warn', worker, path, faults: [`behind the answer: ${error}`] }
}
