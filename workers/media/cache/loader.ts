import type { ObjectRequest } from '../decide.ts'
import { type Body, isSamePart, type ObjectHead, type Part, toPartLength } from '../object.ts'
import type { RequestTrace } from '../request/request-trace.ts'
import { type Store, StoreError, type StoreObject, type StoreResponse } from '../store/store.ts'
import { within } from '../stream/deadline.ts'
import { HeldBody } from '../stream/held-body.ts'
import type { MemoryBudget } from '../stream/memory-budget.ts'
import type { EdgeCache } from './edge-cache.ts'
import {
  type SizedHead,
  SLICE_BYTES,
  toStrongEtag,
  toUnit,
  type Unit,
  WHOLE_LIMIT,
} from './unit.ts'

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
/** What a store read found; requests of one isolate share it. */
export type Load =
  | { type: 'held'; head: SizedHead; bytes: HeldBody; receivedAt: number }
  | { type: 'missing'; receivedAt: number }
  /** Not for the cache, or no memory is free: each request streams for itself. */
  | { type: 'uncacheable' }
interface Flight {
  startedAt: number
  load: Promise<Load>
  settle: (load: Load) => void
}

/** The store has another version of the object than the cache. */
export class ObjectChangedError extends Error {}

// A fill that takes longer is abandoned, so that the second purge after 60 seconds meets every fill
// that began before the first.
const FILL_MS = 50_000
const ROOM_MS = 5_000
// Longer than any deadline of a live leader.
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

  /** Whether another request has begun to load an object or unit. */
  isLoading(url: string): boolean {
    return this.#find(url) !== undefined
  }

  forget(url: string): void {
    this.#flights.delete(url)
  }

  /** Joins or makes the first read of an object that the edge cache does not have. */
  open(request: ObjectRequest, trace: RequestTrace, waitUntil: WaitUntil): Promise<Load> {
    const { cacheUrl } = request
    return this.#share(cacheUrl, trace, waitUntil, async (flight) => {
      const response = await this.#readFirst(request, trace)
      if (response.type === 'missing') {
        flight.settle({ type: 'missing', receivedAt: this.#deps.now() })
        return this.#deps.edge.putMissing(cacheUrl)
      }
      if (response.type !== 'object')
        throw new StoreError(502, `the store's answer: ${response.type}`)
      const object = response.head.isPrivate ? undefined : await this.#measure(response)
      if (!object || !isCacheable(object)) {
        flight.settle({ type: 'uncacheable' })
        return object?.body?.cancel()
      }
      const unit = toUnit(cacheUrl, object.head, object.part?.start ?? 0)
      this.#flights.set(unit.url, flight)
      const isSliced = unit.url !== cacheUrl
      await Promise.all([
        this.#fill(unit, object, flight, trace),
        isSliced && this.#deps.edge.putHead(cacheUrl, unit.head),
      ])
    })
  }

  /** Joins or makes the read of a unit. */
  load(unit: Unit, trace: RequestTrace, waitUntil: WaitUntil): Promise<Load> {
    return this.#share(unit.url, trace, waitUntil, (flight) =>
      this.#fill(unit, undefined, flight, trace),
    )
  }

  /**
   * Reads some bytes of one version of an object past the cache.
   * @throws ObjectChangedError, StoreError
   */
  async read(head: SizedHead, part: Part, trace: RequestTrace): Promise<StoreObject> {
    const range = { first: part.start, last: part.end }
    const request = { key: head.key, range, ifMatch: toStrongEtag(head) }
    const response = await this.#deps.store(request, trace)
    if (response.type === 'unusable') throw new StoreError(502, 'the store sent another part')
    // A store may ignore If-Match, and an object may be gone or shorter by now.
    const isSame =
      response.type === 'object' &&
      response.head.etag === head.etag &&
      response.head.size === head.size
    const isAll = toPartLength(part) === head.size
    if (isSame && isSamePart(response.part, isAll ? undefined : part)) return response
    if (response.type === 'object') await response.body?.cancel()
    if (isSame) throw new StoreError(502, 'the store ignored Range')
    throw new ObjectChangedError('the object was replaced while it was read')
  }

  #share(
    url: string,
    trace: RequestTrace,
    waitUntil: WaitUntil,
    work: (flight: Flight) => Promise<void>,
  ): Promise<Load> {
    const other = this.#find(url)
    trace.fill ??= other ? 'collapsed' : 'stored'
    if (other) return within(JOIN_MS, other.load)
    const { promise: load, resolve, reject } = Promise.withResolvers<Load>()
    let isSettled = false
    const settle = (result: Load) => {
      isSettled = true
      resolve(result)
    }
    const flight = { startedAt: this.#deps.now(), load, settle }
    this.#flights.set(url, flight)
    const lead = async () => {
      try {
        await work(flight)
      } catch (error) {
        // Requests that wait report it; otherwise it is a fault after the response.
        if (isSettled) throw error
        this.#end(flight)
        reject(error)
      } finally {
        this.#end(flight)
      }
    }
    waitUntil(lead())
    return load
  }

  #find(url: string): Flight | undefined {
    const flight = this.#flights.get(url)
    return flight && this.#deps.now() - flight.startedAt < FILL_MS ? flight : undefined
  }

  #end(flight: Flight): void {
    for (const [url, each] of this.#flights) if (each === flight) this.#flights.delete(url)
  }

  // Asks for the slice in which the range begins; its Content-Range gives the size of the object.
  async #readFirst({ key, range }: ObjectRequest, trace: RequestTrace): Promise<StoreResponse> {
    const { store } = this.#deps
    const index = range && 'first' in range ? Math.floor(range.first / SLICE_BYTES) : 0
    for (const start of index > 0 ? [index * SLICE_BYTES, 0] : [0]) {
      const last = start + SLICE_BYTES - 1
      const response = await store({ key, range: { first: start, last } }, trace)
      if (response.type !== 'unsatisfiable' && response.type !== 'unusable') return response
    }
    // An empty object, or a store that sends parts which nobody asked for.
    return store({ key }, trace)
  }

  // Chunked and decoded bodies come without a length; those that end within a slice have one.
  async #measure(object: StoreObject): Promise<SizedObject | undefined> {
    const { budget, chunkMs, now } = this.#deps
    const { head } = object
    if (hasSize(head)) return { ...object, head }
    const release = await budget.reserve(SLICE_BYTES, ROOM_MS)
    const deadline = now() + chunkMs
    try {
      if (!release) return undefined
      const bytes = new HeldBody(SLICE_BYTES)
      await bytes.append(object.body, () => deadline - now())
      const body = new Blob([bytes.begun]).stream()
      return { ...object, head: { ...head, size: bytes.loaded }, body }
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    } finally {
      release?.()
    }
  }

  async #fill(
    unit: Unit,
    opened: StoreObject | undefined,
    { settle }: Flight,
    trace: RequestTrace,
  ): Promise<void> {
    const { edge, budget, chunkMs, now } = this.#deps
    const { head, part, url } = unit
    const deadline = now() + FILL_MS
    const release = await budget.reserve(toPartLength(part), ROOM_MS)
    if (!release) {
      settle({ type: 'uncacheable' })
      return opened?.body?.cancel()
    }
    const bytes = new HeldBody(toPartLength(part))
    try {
      const isReusable = opened && isContinuable(opened, unit)
      if (!isReusable) await opened?.body?.cancel()
      let next = isReusable ? opened : await this.read(head, part, trace)
      settle({ type: 'held', head, bytes, receivedAt: next.receivedAt })
      await bytes.append(next.body, () => Math.min(chunkMs, deadline - now()))
      // A first read is one slice; an object that is cached whole may be longer.
      if (isReusable && bytes.loaded < bytes.size && opened.part) {
        next = await this.read(head, { ...part, start: opened.part.end + 1 }, trace)
        await bytes.append(next.body, () => Math.min(chunkMs, deadline - now()))
      }
      const put = edge.putUnit(unit, bytes.whole)
      await within(deadline - now(), put).catch((error) => {
        put.then(() => edge.delete(url)).catch(() => undefined)
        bytes.release()
        throw error
      })
    } catch (error) {
      // Nobody joins what has failed.
      this.forget(url)
      bytes.release(error)
      throw error
    } finally {
      bytes.release()
      release()
    }
  }
}

type SizedObject = StoreObject & { head: SizedHead }

function hasSize(head: ObjectHead): head is SizedHead {
  return head.size !== undefined
}

function isCacheable({ head, part }: SizedObject): boolean {
  return head.size <= WHOLE_LIMIT || (part !== undefined && toStrongEtag(head) !== undefined)
}

// Whether a first read begins its unit and a second one may go on where it ends.
function isContinuable({ head, part }: StoreObject, unit: Unit): boolean {
  if (!part) return true
  const isEnough = part.end >= unit.part.end || toStrongEtag(head) !== undefined
  return part.start === unit.part.start && isEnough
}
