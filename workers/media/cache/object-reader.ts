import { isSamePart } from '../../../http/content-range.ts'
import { evaluatePreconditions } from '../../../http/preconditions.ts'
import type { ObjectRequest } from '../decide.ts'
import type { ReadResult } from '../object.ts'
import type { RequestTrace } from '../request/request-trace.ts'
import { type Store, StoreError } from '../store/store.ts'
import { DeadlineError, toReason } from '../stream/deadline.ts'
import { MemoryBudget } from '../stream/memory-budget.ts'
import type { Entry } from './edge-cache.ts'
import { Loader, type LoaderDeps, ObjectChangedError, type WaitUntil } from './loader.ts'
import { type BodyDeps, openBody } from './open-body.ts'
import type { SizedHead } from './unit.ts'

export type ReaderDeps = Omit<LoaderDeps, 'budget'> & Omit<BodyDeps, 'loader'>
interface Context extends BodyDeps {
  store: Store
  request: ObjectRequest
  trace: RequestTrace
  waitUntil: WaitUntil
}
export type ReadObject = (
  request: ObjectRequest,
  trace: RequestTrace,
  waitUntil: WaitUntil,
) => Promise<ReadResult>

// Bytes on their way into the cache that one isolate holds; the platform allows 128 MB in all.
const HELD_BYTES = 32 * 1024 * 1024

/** Reads objects from the edge cache, or else from the store, which then fills the cache. */
export function createObjectReader(deps: ReaderDeps): ReadObject {
  const budget = new MemoryBudget(HELD_BYTES, deps.now)
  const loader = new Loader({ ...deps, budget })
  return async (request, trace, waitUntil) => {
    const context = { ...deps, loader, request, trace, waitUntil }
    try {
      return await readCached(context).catch(async (error) => {
        if (!(error instanceof ObjectChangedError)) throw error
        // Replaced since its head was cached, and nothing is sent yet.
        loader.forget(request.cacheUrl)
        await deps.edge.delete(request.cacheUrl)
        return readOpened(context)
      })
    } catch (error) {
      const late = error instanceof DeadlineError ? 504 : 502
      const status = error instanceof StoreError ? error.status : late
      return { type: 'failed', status, reason: toReason(error) }
    }
  }
}

async function readCached(context: Context): Promise<ReadResult> {
  const { edge, loader, request, trace, waitUntil } = context
  const { key, cacheUrl } = request
  // An object that is still being opened is not in the cache.
  const isOpening = loader.isLoading(cacheUrl)
  for (const conditions of isOpening ? [] : [request, undefined]) {
    const entry = await trace
      .time('edge', () => edge.find(key, cacheUrl, conditions))
      .catch((error) => {
        // A cache that fails is a cache that has nothing.
        trace.faults.push(`edge: ${error}`)
        return undefined
      })
    if (!entry) break
    const { head, storedAt } = entry
    if (entry.type === 'missing') return { type: 'missing', storedAt }
    if (entry.type === 'head') return serveHead(context, head as SizedHead, storedAt)
    const result = entry.type === 'object' ? toResult(request, entry) : undefined
    const isSent = result?.type === 'found' && request.method === 'GET'
    if (!isSent && entry.body) waitUntil(entry.body.cancel())
    if (result) return result
    // The cache applied a range or a condition that does not hold, as under If-Range: look again.
  }
  return readOpened(context)
}

async function readOpened(context: Context): Promise<ReadResult> {
  const { loader, request, trace, waitUntil } = context
  const load = await loader.open(request, trace, waitUntil)
  if (load.type === 'missing') return { type: 'missing', storedAt: load.receivedAt }
  if (load.type === 'uncacheable') return readPast(context)
  return serveHead(context, load.head, load.receivedAt)
}

/** Serves an entry as the cache gave it; undefined where the request's conditions say otherwise. */
function toResult(request: ObjectRequest, entry: Entry): ReadResult | undefined {
  const { head, status, body, storedAt } = entry
  const selection = evaluatePreconditions(request, head, storedAt)
  if (selection.type !== 'selected') return { ...selection, head, storedAt }
  const { part } = selection
  // A cache that does not cut gives the whole, which is a part only when it is all of it.
  const isAll = part?.start === 0 && part.end + 1 === head.size
  const found = { type: 'found', head, body, storedAt } as const
  if (status === 200) return { ...found, part: isAll ? part : undefined }
  return status === 206 && isSamePart(part, entry.part) ? { ...found, part } : undefined
}

/** Serves an object by its metadata: its bytes lie in units. */
async function serveHead(context: Context, head: SizedHead, storedAt: number): Promise<ReadResult> {
  const { request, trace, waitUntil } = context
  const selection = evaluatePreconditions(request, head, storedAt)
  if (selection.type !== 'selected') return { ...selection, head, storedAt }
  const { part } = selection
  const isRead = request.method === 'GET'
  const wanted = { cacheUrl: request.cacheUrl, head, part }
  const body = isRead ? await openBody(context, wanted, trace, waitUntil) : null
  return { type: 'found', head, part, body, storedAt }
}

/** Reads what a request asks for from the store and streams it natively, past the cache. */
async function readPast({ request, store, trace }: Context): Promise<ReadResult> {
  const { key, method } = request
  trace.fill = 'passed-through'
  for (const range of request.range ? [request.range, undefined] : [undefined]) {
    const response = await store({ key, range }, trace)
    if (response.type === 'missing') return { type: 'missing', storedAt: 0 }
    if (response.type !== 'object') continue
    const { head, part, body, receivedAt: storedAt } = response
    const selection = evaluatePreconditions(request, head, storedAt)
    const isWanted = selection.type === 'selected' && (!part || selection.part)
    if (isWanted && method === 'GET') return { type: 'found', head, part, body, storedAt }
    await body?.cancel()
    if (selection.type !== 'selected') return { ...selection, head, storedAt }
    if (method === 'HEAD') return { type: 'found', head, part: undefined, body: null, storedAt }
    // If-Range names another version, which gets the whole.
  }
  throw new StoreError(502, 'the store sent a part of what was read whole')
}
