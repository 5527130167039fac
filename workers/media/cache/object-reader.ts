import { isSamePart, toPartLength } from '../../../http/content-range.ts'
import { evaluatePreconditions, toConditionalHeaders } from '../../../http/preconditions.ts'
import type { ObjectRequest } from '../decide.ts'
import type { ReadResult } from '../object.ts'
import type { RequestContext } from '../request/request-trace.ts'
import { type Store, StoreError, toStoreError } from '../store/store.ts'
import { MemoryBudget } from '../stream/buffered-body.ts'
import { MAX_SLICED_BYTES, type SizedHead } from './cache-unit.ts'
import type { Entry } from './edge-cache.ts'
import { Loader, type LoaderDeps, ObjectChangedError } from './loader.ts'
import { type BodyContext, openBody } from './object-body.ts'

export type ReaderDeps = Omit<LoaderDeps, 'budget'> & Pick<BodyContext, 'createPipe'>
interface Context extends BodyContext {
  store: Store
  request: ObjectRequest
}

// Memory of one isolate for bytes that are not in the cache yet. The platform allows 128 MB for everything.
const BUFFER_BYTES = 32 * 1024 * 1024

/** Returns a function that reads objects from the edge cache or, on a miss, from the store into the cache. */
export function createObjectReader(deps: ReaderDeps) {
  const loader = new Loader({ ...deps, budget: new MemoryBudget(BUFFER_BYTES, deps.now) })
  return async (request: ObjectRequest, requestContext: RequestContext): Promise<ReadResult> => {
    const context = { ...deps, ...requestContext, loader, request }
    try {
      return await readCached(context).catch((error) => {
        // The object was replaced after its metadata had been cached, and no response has been sent yet.
        if (error instanceof ObjectChangedError) return readFromStore(context)
        throw error
      })
    } catch (error) {
      const { status, message } = toStoreError(error)
      return { type: 'failed', status, reason: message }
    }
  }
}

async function readCached(context: Context): Promise<ReadResult> {
  const { edge, loader, request, trace, waitUntil } = context
  const { key, cacheUrl } = request
  // An object that is being loaded is not in the cache, so the lookup is skipped.
  const isLoading = loader.isLoading(cacheUrl)
  // If the cache evaluates the conditions differently (it ignores If-Range), a second lookup is without them.
  for (const headers of isLoading ? [] : [toConditionalHeaders(request), undefined]) {
    const entry = await trace.attempt('edge', () => edge.find(key, cacheUrl, headers))
    if (!entry) break
    if (entry.type === 'missing') return entry
    if (entry.type === 'head') return serveParts(context, entry)
    const result = toResult(request, entry)
    const isSent = result?.type === 'found' && request.method === 'GET'
    if (!isSent && entry.body) waitUntil(entry.body.cancel())
    if (result) return result
  }
  return readFromStore(context)
}

async function readFromStore(context: Context): Promise<ReadResult> {
  const load = await context.loader.open(context.request, context)
  if (load.type === 'missing') return load
  if (load.type === 'uncacheable') return readPastCache(context)
  return serveParts(context, load)
}

/** Converts an entry to a result; undefined if the cache evaluated range or conditions in another way. */
function toResult(
  request: ObjectRequest,
  { status, head, part, body, storedAt }: Entry & { type: 'object' },
): ReadResult | undefined {
  if (!storedAt || status === 416) return undefined
  const selection = evaluatePreconditions(request, head, storedAt)
  if (selection.type !== 'selected') return { ...selection, head, storedAt }
  const requested = selection.part
  const found = { type: 'found', head, body, storedAt } as const
  if (status === 206) return isSamePart(requested, part) ? { ...found, part: requested } : undefined
  if (status !== 200) return undefined
  // A cache without support for ranges returns the whole object; a range of all bytes becomes a 206.
  const isWholeObject = requested?.start === 0 && requested.end + 1 === head.size
  return { ...found, part: isWholeObject ? requested : undefined }
}

/** Serves an object whose metadata is known; its bytes are read unit by unit. */
async function serveParts(
  context: Context,
  { head, storedAt }: { head: SizedHead; storedAt: number },
): Promise<ReadResult> {
  const { method, cacheUrl } = context.request
  const selection = evaluatePreconditions(context.request, head, storedAt)
  if (selection.type !== 'selected') return { ...selection, head, storedAt }
  const found = { type: 'found', head, part: selection.part, storedAt } as const
  if (method === 'HEAD') return { ...found, body: null }
  const part = selection.part ?? { start: 0, end: head.size - 1 }
  if (toPartLength(part) > MAX_SLICED_BYTES) return readPastCache(context)
  return { ...found, body: await openBody(context, { cacheUrl, head, part }) }
}

/** Reads the requested bytes from the store and streams them natively, without the cache. */
async function readPastCache({ request, store, trace }: Context): Promise<ReadResult> {
  const { key, method, ifRange } = request
  trace.fill = 'passed-through'
  // RFC 9110 §14.2: a server may ignore Range, and under If-Range the version is not known yet.
  const range = ifRange === null ? request.range : undefined
  let response = await store({ key, range }, trace)
  if (response.type === 'unusable') response = await store({ key }, trace)
  if (response.type === 'missing') return { type: 'missing', storedAt: 0 }
  if (response.type !== 'object') throw new StoreError(502, '412 to a read without If-Match')
  const { head, part, body, storedAt } = response
  const selection = evaluatePreconditions(request, head, storedAt)
  if (selection.type !== 'selected' || method === 'HEAD') await body?.cancel()
  if (selection.type !== 'selected') return { ...selection, head, storedAt }
  return { type: 'found', head, part, body, storedAt }
}
