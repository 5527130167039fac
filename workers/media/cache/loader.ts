import { isSamePart, type Part, toPartLength } from '../../../http/content-range.ts'
import { parseStrongEtag } from '../../../http/etag.ts'
import type { ObjectRequest } from '../decide.ts'
import type { RequestContext, RequestTrace } from '../request/request-trace.ts'
import { type Store, StoreError, type StoreObject, type StoreResponse } from '../store/store.ts'
import { BufferedBody } from '../stream/buffered-body.ts'
import { within } from '../stream/deadline.ts'
import type { MemoryBudget } from '../stream/memory-budget.ts'
import * as units from './cache-unit.ts'
import type { EdgeCache } from './edge-cache.ts'

export interface LoaderDeps {
  edge: EdgeCache
  store: Store
  budget: MemoryBudget
  /** Milliseconds for each chunk of a store's body. */
  chunkMs: number
  now: () => number
}
/** Result of a store read, shared by the requests of one isolate. */
export type Load =
  | { type: 'buffered'; head: units.SizedHead; bytes: BufferedBody; receivedAt: number }
  | { type: 'missing'; receivedAt: number }
  /** Not for the cache, or no memory is free: each request streams for itself. */
  | { type: 'uncacheable' }
/** `progressive`: bytes are readable while they arrive. `at-once`: when all have arrived. */
export type LoadMode = 'progressive' | 'at-once'
/** A load and the rest of its work, which ends when the edge cache is filled. */
type Started = { load: Load; rest?: Promise<unknown> | undefined }
type Flight = { startedAt: number; load: Promise<Load> }

/** The store has another version of the object than the cache. */
export class ObjectChangedError extends Error {}

// A fill that takes longer is abandoned, so that the second purge after 60 seconds deletes every
// entry whose fill began before the first.
const FILL_MS = 50_000
const ROOM_MS = 5_000
// Longer than the deadlines of a request that loads.
const JOIN_MS = 35_000

/**
 * Loads objects and slices from the store into the edge cache, each once at a time in this isolate.
 * Requests read the bytes while they arrive; when the cache has them, the memory is released.
 */
export class Loader {
  readonly #deps: LoaderDeps
  readonly #flights = new Map<string, Flight>()

  constructor(deps: LoaderDeps) {
    this.#deps = deps
  }

  /** Whether a request is loading an object or unit. */
  isLoading(url: string): boolean {
    return this.#find(url) !== undefined
  }

  forget(url: string): void {
    this.#flights.delete(url)
  }

  /** Joins or starts the first read of an object that is not in the edge cache. */
  open(request: ObjectRequest, context: RequestContext): Promise<Load> {
    const { cacheUrl } = request
    const { edge, now } = this.#deps
    return this.#share(cacheUrl, context, async (addKey) => {
      const response = await this.#readFirst(request, context.trace)
      if (response.type === 'missing') {
        return { load: { type: 'missing', receivedAt: now() }, rest: edge.putMissing(cacheUrl) }
      }
      if (response.type !== 'object') throw new StoreError(502, `first read: ${response.type}`)
      const object = response.head.isPrivate ? undefined : await this.#measure(response)
      if (!object || !isCacheable(object)) {
        return { load: { type: 'uncacheable' }, rest: response.body?.cancel() }
      }
      const unit = units.toUnit(cacheUrl, object.head, object.part?.start ?? 0)
      addKey(unit.url)
      const isFirstOfUnit = isContinuable(object, unit)
      if (!isFirstOfUnit) await object.body?.cancel()
      const first = isFirstOfUnit ? object : undefined
      const { load, rest } = await this.#start(unit, 'progressive', context.trace, first)
      const isSliced = unit.url !== cacheUrl
      return { load, rest: Promise.all([rest, isSliced && edge.putHead(cacheUrl, unit.head)]) }
    })
  }

  /** Joins or starts the read of a unit. */
  load(unit: units.Unit, mode: LoadMode, context: RequestContext): Promise<Load> {
    return this.#share(unit.url, context, () => this.#start(unit, mode, context.trace))
  }

  /**
   * Reads some bytes of one version of an object past the cache.
   * @throws ObjectChangedError, StoreError
   */
  async read(head: units.SizedHead, part: Part, trace: RequestTrace): Promise<StoreObject> {
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
    throw new ObjectChangedError('the object was replaced while it was read')
  }

  #share(
    url: string,
    { trace, waitUntil }: RequestContext,
    start: (addKey: (url: string) => void) => Promise<Started>,
  ): Promise<Load> {
    const other = this.#find(url)
    trace.fill ??= other ? 'collapsed' : 'stored'
    if (other) return within(JOIN_MS, other.load)
    const started = start((key) => this.#flights.set(key, flight))
    const flight = { startedAt: this.#deps.now(), load: started.then(({ load }) => load) }
    this.#flights.set(url, flight)
    const end = () => {
      for (const [key, each] of this.#flights) if (each === flight) this.#flights.delete(key)
    }
    // The requests that wait report a failure before the load.
    const rest = started.catch((): Partial<Started> => ({})).then((result) => result.rest)
    waitUntil(rest.finally(end))
    return flight.load
  }

  #find(url: string): Flight | undefined {
    const flight = this.#flights.get(url)
    return flight && this.#deps.now() - flight.startedAt < FILL_MS ? flight : undefined
  }

  // Requests the slice in which the range begins; its Content-Range has the size of the object.
  async #readFirst({ key, range }: ObjectRequest, trace: RequestTrace): Promise<StoreResponse> {
    const { store } = this.#deps
    const index = range && 'first' in range ? Math.floor(range.first / units.SLICE_BYTES) : 0
    for (const first of new Set([index * units.SLICE_BYTES, 0])) {
      const last = first + units.SLICE_BYTES - 1
      const response = await store({ key, range: { first, last } }, trace)
      if (response.type !== 'unusable') return response
    }
    // An empty object, or a store that sends other parts than the requested one.
    return store({ key }, trace)
  }

  // Chunked and decoded bodies have no length; one that fits into a slice is read to find it.
  async #measure(object: StoreObject): Promise<SizedObject | undefined> {
    const { budget, chunkMs } = this.#deps
    const { size } = object.head
    if (size !== undefined) return { ...object, head: { ...object.head, size } }
    const release = await budget.reserve(units.SLICE_BYTES, ROOM_MS)
    if (!release) return undefined
    const bytes = new BufferedBody(units.SLICE_BYTES, release)
    try {
      await within(
        chunkMs,
        bytes.append(object.body, () => chunkMs),
      )
      const { loaded } = bytes
      const head = { ...object.head, size: loaded.length }
      return { ...object, head, body: new Blob([loaded]).stream() }
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    } finally {
      bytes.release()
    }
  }

  async #start(
    unit: units.Unit,
    mode: LoadMode,
    trace: RequestTrace,
    first?: StoreObject,
  ): Promise<Started> {
    const { budget, now } = this.#deps
    const deadline = now() + FILL_MS
    const size = toPartLength(unit.part)
    const release = await budget.reserve(size, ROOM_MS)
    if (!release) return { load: { type: 'uncacheable' }, rest: first?.body?.cancel() }
    const bytes = new BufferedBody(size, release)
    try {
      const source = first ?? (await this.read(unit.head, unit.part, trace))
      const rest = this.#fill(unit, source, bytes, mode, deadline, trace)
      const { receivedAt } = source
      return { load: { type: 'buffered', head: unit.head, bytes, receivedAt }, rest }
    } catch (error) {
      bytes.release(error)
      throw error
    }
  }

  async #fill(
    unit: units.Unit,
    first: StoreObject,
    bytes: BufferedBody,
    mode: LoadMode,
    deadline: number,
    trace: RequestTrace,
  ): Promise<void> {
    const { edge, chunkMs, now } = this.#deps
    const { head, part, url } = unit
    const toMs = () => Math.min(chunkMs, deadline - now())
    try {
      await (mode === 'at-once' ? bytes.load(first.body, toMs()) : bytes.append(first.body, toMs))
      const next = part.start + bytes.loaded.length
      // A first read is one slice; an object that is cached whole may be longer.
      if (next <= part.end && next - 1 === first.part?.end) {
        const second = await this.read(head, { start: next, end: part.end }, trace)
        await bytes.append(second.body, toMs)
      }
      const { length } = bytes.loaded
      if (length < bytes.size) throw new Error(`the store sent ${length} bytes of ${bytes.size}`)
    } catch (error) {
      bytes.release(error)
      throw error
    }
    const put = edge.putUnit(unit, bytes.loaded)
    try {
      await within(deadline - now(), put)
    } catch (error) {
      put.then(() => edge.delete(url)).catch(() => undefined)
      throw error
    } finally {
      bytes.release()
    }
  }
}

type SizedObject = StoreObject & { head: units.SizedHead }

function isCacheable({ head, part }: SizedObject): boolean {
  return head.size <= units.WHOLE_LIMIT || Boolean(part && parseStrongEtag(head.etag))
}

// Whether a first read begins its unit and a second one may continue where it ends.
function isContinuable({ head, part }: StoreObject, unit: units.Unit): boolean {
  if (!part) return true
  const isEnough = part.end >= unit.part.end || parseStrongEtag(head.etag) !== undefined
  return part.start === unit.part.start && isEnough
}
