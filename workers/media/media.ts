import { type Answer, toLifetimes, toResponse } from './answer.ts'
import { decide, type Wanted } from './decide.ts'
import { createEdge, type EdgeCache } from './edge.ts'
import { createFiller, type FillOptions } from './fill.ts'
import { createReader, type WaitUntil } from './read.ts'
import { createStore, type StoreOptions } from './store.ts'
import { createVisit, type Line, toDiagnostics, toLine, type Visit } from './visit.ts'

export type MediaOptions = Pick<StoreOptions, 'fetch' | 'now' | 'patience'> & {
  name: string
  version: string
  maxAge: number
  store: Omit<StoreOptions, 'fetch' | 'now' | 'patience'>
  cache: EdgeCache
  createPipe: FillOptions['createPipe']
  log: (line: Line) => void
}
export type Media = (request: Request, waitUntil: WaitUntil) => Promise<Response>

/** The media worker: `/cmp-media/<key>` from the edge cache, or else from the store. */
export function createMedia(options: MediaOptions): Media {
  const { name, version, maxAge, now, log } = options
  const read = connect(options)
  const lifetimes = toLifetimes(maxAge)
  return async (request, waitUntil) => {
    const visit = createVisit(now())
    const { host, pathname } = new URL(request.url)
    const decision = decide(request, host)
    const key = decision.type === 'read' ? decision.key : ''
    const behind = (work: Promise<unknown>) =>
      waitUntil(work.catch((error) => log(toFault(name, key, error))))
    const answer = decision.type === 'read' ? await read(decision, visit, behind) : decision
    const told = { answer, visit, name, version, maxAge, now: now() }
    const { method } = request
    const context = { key, method, lifetimes, now: told.now }
    const response = toResponse(answer, context, toDiagnostics(told))
    log(toLine({ method, host, path: pathname, status: response.status }, told))
    return response
  }
}

function connect(
  options: MediaOptions,
): (wanted: Wanted, visit: Visit, behind: WaitUntil) => Promise<Answer> {
  const { cache, maxAge, now, createPipe } = options
  const edge = createEdge(cache, maxAge, now)
  const store = createStore({ ...options, ...options.store })
  const fill = createFiller({
    edge,
    readWhole: async (key) => (await store(key)).answer,
    createPipe,
    now,
  })
  const read = createReader({ edge, store, fill, now })
  return async (wanted, visit, behind) => {
    try {
      return await read(wanted, visit, behind)
    } catch (error) {
      return { type: 'failed', status: 502, reason: String(error) }
    }
  }
}

function toFault(worker: string, key: string, error: unknown): Line {
  return { level: 'warn', worker, key, faults: [`behind the answer: ${error}`] }
}
