import { isSamePart, type Part, toPartLength } from '../../../http/content-range.ts'
import { parseStrongEtag } from '../../../http/etag.ts'
import type { ObjectRequest } from '../decide.ts'
import type { ObjectHead } from '../object.ts'
import type { RequestTrace } from '../request/request-trace.ts'
import { type Store, StoreError, type StoreObject, type StoreResponse } from '../store/store.ts'
import { within } from '../stream/deadline.ts'
import { HeldBody } from '../stream/held-body.ts'
import type { MemoryBudget } from '../stream/memory-budget.ts'
import type { EdgeCache } from './edge-cache.ts'
import * as units from './unit.ts'

/** Continues after the response. */
export type WaitUntil = (work: Promise<unknown>) => void
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
  | { type: 'held'; head: units.SizedHead; bytes: HeldBody; receivedAt: number }
  | { type: 'missing'; receivedAt: number }
  /** Not for the cache, or no memory is free: each request streams for itself. */
  | { type: 'uncacheable' }
export type LoadMode = 'progressive' | 'at-once'
type Started = { load: Load; rest?: Promise<unknown> | undefined }
type Flight = { startedAt: number; load: Promise<Load> }

/** The store has another version of the object than the cache. */
export class ObjectChangedError extends Error {}

// A fill that takes longer is abandoned, so that the second purge after 60 seconds meets every fill
// that began before the first.
const FILL_MS = 50_000
const ROOM_MS = 5_000
// Longer than the deadlines of a leader that is alive.
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

  /** Whether a request has begun to load an object or unit. */
  isLoading(url: string): boolean {
    return this.#find(url) !== undefined
  }

  forget(url: string): void {
    this.#flights.delete(url)
  }

  /** Joins or makes the first read of an object that the edge cache does not have. */
  open(request: ObjectRequest, trace: RequestTrace, waitUntil: WaitUntil): Promise<Load> {
    const { cacheUrl } = request
    const { edge, now } = this.#deps
    return this.#share(cacheUrl, trace, waitUntil, async (addKey) => {
      const response = await this.#readFirst(request, trace)
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
      const { load, rest } = await this.#start(unit, object, trace)
      const isSliced = unit.url !== cacheUrl
      return { load, rest: Promise.all([rest, isSliced && edge.putHead(cacheUrl, unit.head)]) }
    })
  }

  /** Joins or makes the read of a unit; `progressive` passes its bytes on while they arrive. */
  load(unit: units.Unit, mode: LoadMode, trace: RequestTrace, waitUntil: WaitUntil): Promise<Load> {
    return this.#share(unit.url, trace, waitUntil, () => this.#start(unit, mode, trace))
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
    trace: RequestTrace,
    waitUntil: WaitUntil,
    start: (addKey: (url: string) => void) => Promise<Started>,
  ): Promise<Load> {
    const other = this.#find(url)
    trace.fill ??= other ? 'collapsed' : 'stored'
    if (other) return within(JOIN_MS, other.load)
    const end = () => {
      for (const [key, each] of this.#flights) if (each === flight) this.#flights.delete(key)
    }
    const started = start((key) => this.#flights.set(key, flight)).catch((error) => {
      end()
      throw error
    })
    const flight = { startedAt: this.#deps.now(), load: started.then(({ load }) => load) }
    this.#flights.set(url, flight)
    // The requests that wait report what fails before it has started.
    const rest = started.then(
      (it) => it.rest,
      () => undefined,
    )
    waitUntil(rest.finally(end))
    return flight.load
  }

  #find(url: string): Flight | undefined {
    const flight = this.#flights.get(url)
    return flight && this.#deps.now() - flight.startedAt < FILL_MS ? flight : undefined
  }

  // Asks for the slice in which the range begins; its Content-Range gives the size of the object.
  async #readFirst({ key, range }: ObjectRequest, trace: RequestTrace): Promise<StoreResponse> {
    const { store } = this.#deps
    const index = range && 'first' in range ? Math.floor(range.first / units.SLICE_BYTES) : 0
    for (const first of new Set([index * units.SLICE_BYTES, 0])) {
      const last = first + units.SLICE_BYTES - 1
      const response = await store({ key, range: { first, last } }, trace)
      if (response.type !== 'unusable') return response
    }
    // An empty object, or a store that sends other parts than it was asked for.
    return store({ key }, trace)
  }

  // Chunked and decoded bodies come without a length; those that end within a slice have one.
  async #measure(object: StoreObject): Promise<SizedObject | undefined> {
    const { budget, chunkMs } = this.#deps
    const { head } = object
    if (hasSize(head)) return { ...object, head }
    const release = await budget.reserve(units.SLICE_BYTES, ROOM_MS)
    if (!release) return undefined
    const bytes = new HeldBody(units.SLICE_BYTES)
    try {
      await within(
        chunkMs,
        bytes.append(object.body, () => chunkMs),
      )
      const body = new Blob([bytes.loaded]).stream()
      return { ...object, head: { ...head, size: bytes.loaded.length }, body }
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    } finally {
      release()
    }
  }

  async #start(
    unit: units.Unit,
    source: StoreObject | LoadMode,
    trace: RequestTrace,
  ): Promise<Started> {
    const opened = typeof source === 'string' ? undefined : source
    const deadline = this.#deps.now() + FILL_MS
    const size = toPartLength(unit.part)
    const release = await this.#deps.budget.reserve(size, ROOM_MS)
    if (!release) return { load: { type: 'uncacheable' }, rest: opened?.body?.cancel() }
    try {
      const isReusable = opened && isContinuable(opened, unit)
      if (!isReusable) await opened?.body?.cancel()
      const first = isReusable ? opened : await this.read(unit.head, unit.part, trace)
      const bytes = new HeldBody(size)
      const isAtOnce = source === 'at-once'
      const rest = this.#fill(unit, first, bytes, isAtOnce, deadline, trace).finally(release)
      return { load: { type: 'held', head: unit.head, bytes, receivedAt: first.receivedAt }, rest }
    } catch (error) {
      release()
      throw error
    }
  }

  async #fill(
    unit: units.Unit,
    first: StoreObject,
    bytes: HeldBody,
    isAtOnce: boolean,
    deadline: number,
    trace: RequestTrace,
  ): Promise<void> {
    const { edge, chunkMs, now } = this.#deps
    const { head, part, url } = unit
    const toMs = () => Math.min(chunkMs, deadline - now())
    try {
      await (isAtOnce ? bytes.take(first.body, toMs()) : bytes.append(first.body, toMs))
      // A first read is one slice; an object that is cached whole may be longer.
      if (
        first.part &&
        first.part.end < part.end &&
        bytes.loaded.length === toPartLength(first.part)
      ) {
        const second = await this.read(head, { ...part, start: first.part.end + 1 }, trace)
        await bytes.append(second.body, toMs)
      }
      const { length } = bytes.loaded
      if (length < bytes.size) throw new Error(`${length} bytes came of ${bytes.size}`)
    } catch (error) {
      // Nobody joins what has failed.
      this.forget(url)
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

function hasSize(head: ObjectHead): head is units.SizedHead {
  return head.size !== undefined
}

function isCacheable({ head, part }: SizedObject): boolean {
  return head.size <= units.WHOLE_LIMIT || Boolean(part && parseStrongEtag(head.etag))
}

// Whether a first read begins its unit and a second one may go on where it ends.
function isContinuable({ head, part }: StoreObject, unit: units.Unit): boolean {
  if (!part) return true
  const isEnough = part.end >= unit.part.end || parseStrongEtag(head.etag) !== undefined
  return part.start === unit.part.start && isEnough
}
