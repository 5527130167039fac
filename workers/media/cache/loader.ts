import { isSamePart, type Part, toPartLength } from '../../../http/content-range.ts'
import { parseStrongEtag } from '../../../http/etag.ts'
import type { ObjectRequest } from '../decide.ts'
import type { Body } from '../object.ts'
import type { RequestContext, RequestTrace } from '../request/request-trace.ts'
import { type Store, type StoreDeps, StoreError, type StoreObject } from '../store/store.ts'
import type { BufferedBody, MemoryBudget } from '../stream/buffered-body.ts'
import { within } from '../stream/deadline.ts'
import * as units from './cache-unit.ts'
import type { EdgeCache } from './edge-cache.ts'

export interface LoaderDeps extends Pick<StoreDeps, 'retries' | 'now'> {
  edge: EdgeCache
  store: Store
  budget: MemoryBudget
}
/** Result of reading the store, shared by the requests of one isolate. */
export type Load =
  | { type: 'buffered'; head: units.SizedHead; bytes: BufferedBody; storedAt: number }
  | { type: 'missing'; storedAt: number }
  /** The object cannot or must not be cached, or no memory is free: each request reads the store itself. */
  | { type: 'uncacheable' }
/** `progressive`: bytes are readable while they arrive. `complete`: only after all have arrived. */
export type LoadMode = 'progressive' | 'complete'
/** A load, and a promise of writing it to the edge cache. */
type StartedLoad = { load: Load; fill?: Promise<unknown> | undefined }
type Flight = { startedAt: number; load: Promise<Load> }

/** The store has another version of the object than the cache. */
export class ObjectChangedError extends Error {}

// A fill that takes longer is abandoned. `ops/lib/purge-media.ts` repeats a purge after 60 seconds, and so
// deletes every entry whose fill began before the purge.
const FILL_MS = 50_000
const ALLOCATION_MS = 5_000
// Longest wait for the load of another request: 5 s for memory, 10 s for each of up to three store responses.
const JOIN_MS = 35_000
const CLIENT_LEAD_MS = 5

/**
 * Loads objects and slices from the store into the edge cache. Concurrent requests of an isolate share one load
 * and read the bytes while they arrive. When the cache has the bytes, the memory is released.
 */
export class Loader {
  readonly #deps: LoaderDeps
  readonly #flights = new Map<string, Flight>()

  constructor(deps: LoaderDeps) {
    this.#deps = deps
  }

  /** Whether an object or unit is being loaded. `url` is its key in the edge cache. */
  isLoading(url: string): boolean {
    const { startedAt } = this.#flights.get(url) ?? {}
    return startedAt !== undefined && this.#deps.now() - startedAt < FILL_MS
  }

  /** Joins or starts the first read of an object that is not in the edge cache. */
  open(request: ObjectRequest, context: RequestContext): Promise<Load> {
    const { cacheUrl } = request
    const { edge, now } = this.#deps
    return this.#share(cacheUrl, context, async (addKey) => {
      const response = await this.#readFirst(request, context.trace)
      if (response.type === 'missing') {
        return { load: { type: 'missing', storedAt: now() }, fill: edge.putMissing(cacheUrl) }
      }
      if (response.type !== 'object') throw new StoreError(502, '412 to a read without If-Match')
      const first = response.head.isPrivate ? undefined : await this.#measure(response)
      const { head, part } = first ?? response
      const isSliceable = part !== undefined && parseStrongEtag(head.etag) !== undefined
      if (!first || (first.head.size > units.WHOLE_LIMIT && !isSliceable)) {
        // A body that was too long to measure is locked, and cancelled already.
        const cancelled = response.body?.locked ? undefined : response.body?.cancel()
        return { load: { type: 'uncacheable' }, fill: cancelled }
      }
      const unit = units.toUnit({ cacheUrl, head: first.head }, part?.start ?? 0)
      addKey(unit.url)
      const { load, fill } = await this.#start(unit, 'progressive', context.trace, first)
      return { load, fill: Promise.all([fill, unit.url !== cacheUrl && edge.putHead(unit)]) }
    })
  }

  /** Joins or starts the read of a unit. */
  load(unit: units.Unit, mode: LoadMode, context: RequestContext): Promise<Load> {
    return this.#share(unit.url, context, () => this.#start(unit, mode, context.trace))
  }

  /**
   * Reads bytes of one version of an object from the store. If it has changed, its cached metadata is deleted.
   * @throws ObjectChangedError, StoreError
   */
  async read(object: units.CacheableObject, part: Part, trace: RequestTrace): Promise<StoreObject> {
    const { cacheUrl, head } = object
    const range = { first: part.start, last: part.end }
    const request = { key: head.key, range, ifMatch: parseStrongEtag(head.etag) }
    const response = await this.#deps.store(request, trace)
    const isObject = response.type === 'object'
    // A store may ignore If-Match, and an object may be gone or shorter by now.
    const isSame = isObject && response.head.etag === head.etag && response.head.size === head.size
    const expected = toPartLength(part) === head.size ? undefined : part
    if (isSame && isSamePart(response.part, expected)) return response
    if (isObject) await response.body?.cancel()
    if (isSame) throw new StoreError(502, 'the store ignored Range')
    // The next request reads the new version.
    this.#flights.delete(cacheUrl)
    await this.#deps.edge.delete(cacheUrl)
    throw new ObjectChangedError('the object was replaced while it was read')
  }

  #share(
    url: string,
    { trace, waitUntil }: RequestContext,
    start: (addKey: (url: string) => void) => Promise<StartedLoad>,
  ): Promise<Load> {
    const joined = this.isLoading(url) ? this.#flights.get(url) : undefined
    trace.fill ??= joined ? 'collapsed' : 'stored'
    if (joined) return within(JOIN_MS, joined.load)
    const started = start((key) => this.#flights.set(key, flight))
    const flight = { startedAt: this.#deps.now(), load: started.then(({ load }) => load) }
    this.#flights.set(url, flight)
    const removeFlight = () => {
      for (const [key, each] of this.#flights) if (each === flight) this.#flights.delete(key)
    }
    // The waiting requests report the failure, so it is not reported here.
    const fill = started.catch((): Partial<StartedLoad> => ({})).then((result) => result.fill)
    waitUntil(fill.finally(removeFlight))
    return flight.load
  }

  // Requests the slice in which the range begins, else the first one; Content-Range has the object's size.
  async #readFirst({ key, range }: ObjectRequest, trace: RequestTrace) {
    const { store } = this.#deps
    const index = range && 'first' in range ? Math.floor(range.first / units.SLICE_BYTES) : 0
    for (const first of new Set([index * units.SLICE_BYTES, 0])) {
      const slice = { first, last: first + units.SLICE_BYTES - 1 }
      const response = await store({ key, range: slice }, trace)
      if (response.type !== 'unusable') return response
    }
    // The object is empty, or the store does not send the requested part.
    return store({ key }, trace)
  }

  // Reads a body without a length (chunked, decoded) to measure it; undefined if it exceeds a slice or the budget.
  async #measure(object: StoreObject) {
    const { budget, retries } = this.#deps
    const { head } = object
    if (head.size !== undefined) return { ...object, head: { ...head, size: head.size } }
    const bytes = await budget.allocate({ start: 0, end: units.SLICE_BYTES - 1 }, ALLOCATION_MS)
    if (!bytes) return undefined
    try {
      const received = await within(retries.chunkMs, bytes.receive(object.body, retries.chunkMs))
      const body = new Blob([received]).stream()
      return { ...object, head: { ...head, size: received.length }, body }
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    } finally {
      bytes.release()
    }
  }

  // `first` is the response to the first read. It is the source if it has exactly the bytes of the unit.
  async #start(
    unit: units.Unit,
    mode: LoadMode,
    trace: RequestTrace,
    first?: StoreObject,
  ): Promise<StartedLoad> {
    const { budget, edge, now } = this.#deps
    const deadline = now() + FILL_MS
    const bytes = await budget.allocate(unit.part, ALLOCATION_MS)
    const isUsable = bytes && first && isSamePart(first.part ?? unit.part, unit.part)
    if (!isUsable) await first?.body?.cancel()
    if (!bytes) return { load: { type: 'uncacheable' } }
    const fail = (error: unknown) => {
      bytes.release(error)
      throw error
    }
    const source = isUsable ? first : await this.read(unit, unit.part, trace).catch(fail)
    const write = this.#fill(unit, source.body, bytes, mode)
    const fill = within(deadline - now(), write).catch((error) => {
      // The write of an abandoned fill may still succeed.
      write.then(() => edge.delete(unit.url)).catch(() => undefined)
      return fail(error)
    })
    return { load: { type: 'buffered', head: unit.head, bytes, storedAt: source.storedAt }, fill }
  }

  async #fill(unit: units.Unit, body: Body, bytes: BufferedBody, mode: LoadMode): Promise<void> {
    const { chunkMs } = this.#deps.retries
    const size = toPartLength(unit.part)
    // If no request reads the bytes while they arrive, arrayBuffer() takes a tenth of the CPU time.
    const received =
      mode === 'progressive'
        ? await bytes.receive(body, chunkMs)
        : new Uint8Array(await within(chunkMs, new Response(body).arrayBuffer()))
    if (received.length !== size) throw new Error(`${received.length} of ${size} bytes arrived`)
    // Clients get the last bytes first: writing the entry occupies the thread that sends to them.
    if (mode === 'progressive') await new Promise((resolve) => setTimeout(resolve, CLIENT_LEAD_MS))
    await this.#deps.edge.putUnit(unit, received).finally(() => bytes.release())
  }
}
