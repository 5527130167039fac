import { within } from '../deadline.ts'
import type { InvalidationLog, LogCopy } from '../invalidation/log.ts'
import type { Ports, Scope } from '../ports.ts'
import type { SingleFlight } from '../single-flight.ts'
import { discard, type EdgeCopy, type EdgeStore } from './edge.ts'
import { decideVerdict, type Entry, findNewestSequence, type Meta, type Verdict } from './entry.ts'
import type { KvStore } from './kv.ts'
import type { RevalidationLock } from './revalidation-lock.ts'

/** `isUnchanged`: `entry` is the previous entry, which is still right and has new times. */
export interface Produced {
  entry: Entry
  isUnchanged: boolean
}

/** A cached resource: the keys of its entry, and a function that renews or replaces the previous entry. */
export interface Target {
  /** Path in the invalidation log; undefined: only invalidations of the host affect the resource. */
  path: string | undefined
  edgeUrl: string
  /** Undefined: the entry is not stored in KV. */
  kvKey: string | undefined
  produce: (previous: Entry | undefined, scope: Scope) => Promise<Produced>
}

/** An entry to serve. `layer`: where it comes from; `collapsed`: another request has read or rendered it. */
export interface Served {
  meta: Meta
  headers: Record<string, string>
  body: string | ReadableStream | null
  layer: 'edge' | 'kv' | 'render'
  verdict: Exclude<Verdict, 'purged'>
  collapsed: boolean
}

/** Result of reading KV: null when there is no entry, undefined when it cannot be read. */
type Stored = Entry | null | undefined

interface Deps {
  edge: EdgeStore
  kv: KvStore
  log: InvalidationLog
  singleFlight: SingleFlight
  lockRevalidation: RevalidationLock
  ports: Ports
}

/** Maximum lifetime of an edge copy by its source; `withoutLog`: the invalidation log could not be read. */
const EDGE_SECONDS = { rendered: 300, fromKv: 60, withoutLog: 30 }
const KV_READ_TIMEOUT_MS = 1000
const REVALIDATION_TIMEOUT_MS = 2000
/** The entry of a slower rendering is not stored; housekeeping relies on that (`SETTLED_MS`). */
const MAX_RENDERING_MS = 60_000
/** Types of entries that are not stored beyond `freshUntil`, because they are not served stale. */
const SHORT_LIVED: readonly string[] = ['not_found', 'search']

/** Reads the edge cache, then KV, then renders. The verdict on each entry decides whether it is served. */
export class TieredCache {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** @throws the error of `produce`, when no entry may be served */
  async read(target: Target, scope: Scope): Promise<Served> {
    const [logCopy, edgeCopy] = await Promise.all([
      this.#deps.log.read(scope),
      scope.measure('edge', this.#matchEdge(target)),
    ])
    const verdict = edgeCopy && this.#decideVerdict(edgeCopy.meta, logCopy, target)
    if (edgeCopy && (verdict === 'fresh' || verdict === 'stale')) {
      if (verdict === 'stale') scope.background(this.#revalidate(target, scope))
      return { ...edgeCopy, layer: 'edge', verdict, collapsed: false }
    }
    if (verdict === 'outdated') return this.#readBelowEdge(target, logCopy, edgeCopy, scope)
    discard(edgeCopy)
    return this.#readBelowEdge(target, logCopy, undefined, scope)
  }

  async #readBelowEdge(
    target: Target,
    logCopy: LogCopy,
    outdatedCopy: EdgeCopy | undefined,
    scope: Scope,
  ): Promise<Served> {
    const { singleFlight } = this.#deps
    // An invalidation changes the key, so that no request joins work that began before it.
    const key = `${target.edgeUrl} ${findNewestSequence(logCopy, target.path)}`
    const kvRead = await singleFlight(`kv ${key}`, scope, () =>
      scope.measure('kv', this.#getStored(target)),
    )
    const stored = kvRead.value
    const verdict = stored && this.#decideVerdict(stored.meta, logCopy, target)
    if (stored && (verdict === 'fresh' || verdict === 'stale')) {
      discard(outdatedCopy)
      scope.background(this.#putEdge(target, stored, EDGE_SECONDS.fromKv))
      if (verdict === 'stale') scope.background(this.#revalidate(target, scope))
      return { ...stored, layer: 'kv', verdict, collapsed: kvRead.collapsed }
    }
    const outdatedStored = verdict === 'outdated' ? stored : undefined
    const rendering = singleFlight(`render ${key}`, scope, () =>
      this.#produce(target, stored, verdict, scope),
    )
    const fallback = outdatedStored
      ? ({ ...outdatedStored, layer: 'kv' } as const)
      : outdatedCopy && ({ ...outdatedCopy, layer: 'edge' } as const)
    try {
      const { value, collapsed } = await this.#limitWait(rendering, fallback !== undefined)
      discard(outdatedCopy)
      return { ...value, layer: 'render', verdict: 'fresh', collapsed }
    } catch (error) {
      if (!fallback) throw error
      if (outdatedStored) discard(outdatedCopy)
      return { ...fallback, verdict: 'outdated', collapsed: kvRead.collapsed }
    }
  }

  // A revalidation that takes longer continues in the background.
  #limitWait<T>(work: Promise<T>, hasFallback: boolean): Promise<T> {
    return hasFallback ? within(REVALIDATION_TIMEOUT_MS, work, this.#deps.ports.sleep) : work
  }

  async #revalidate(target: Target, scope: Scope): Promise<void> {
    const { lockRevalidation, singleFlight, log } = this.#deps
    if (!(await lockRevalidation(target.edgeUrl))) return
    const revalidated = singleFlight(`revalidate ${target.edgeUrl}`, scope, async () => {
      const stored = await this.#getStored(target)
      const verdict = stored && this.#decideVerdict(stored.meta, log.current, target)
      // It is fresh if another data centre has already revalidated it.
      if (stored && verdict === 'fresh') return this.#putEdge(target, stored, EDGE_SECONDS.fromKv)
      await this.#produce(target, stored, verdict, scope)
    })
    await this.#ignoreFailure('revalidate', revalidated)
  }

  async #produce(
    target: Target,
    stored: Stored,
    verdict: Verdict | null | undefined,
    scope: Scope,
  ): Promise<Entry> {
    const previous = verdict === 'purged' ? undefined : (stored ?? undefined)
    try {
      const produced = await scope.measure('render', target.produce(previous, scope))
      scope.background(this.#store(target, produced, stored))
      return produced.entry
    } catch (error) {
      this.#warn('render', error)
      throw error
    }
  }

  async #store(target: Target, { entry, isUnchanged }: Produced, stored: Stored): Promise<void> {
    const { kv, log, ports } = this.#deps
    const now = ports.now()
    if (now - entry.meta.renderedAt > MAX_RENDERING_MS) return
    if (this.#decideVerdict(entry.meta, log.current, target) === 'purged') return
    const work = [this.#putEdge(target, entry, EDGE_SECONDS.rendered)]
    const { kvKey } = target
    // An entry rendered while the log could not be read has sequence 0.
    if (kvKey !== undefined && entry.meta.sequence > 0) {
      const belongsInKv = entry.meta.status === 200
      if (belongsInKv && !(isUnchanged && stored && this.#staysServable(stored, target, now)))
        work.push(this.#ignoreFailure('kv put', kv.put(kvKey, entry)))
      if (!belongsInKv && stored !== null)
        work.push(this.#ignoreFailure('kv delete', kv.delete(kvKey)))
    }
    await Promise.all(work)
  }

  // Returns whether more than half of the stored entry's time is left, so that an unchanged one need not replace it.
  #staysServable({ meta }: Entry, target: Target, now: number): boolean {
    const verdict = this.#decideVerdict(meta, this.#deps.log.current, target)
    return verdict !== 'outdated' && now < (meta.renderedAt + meta.staleUntil) / 2
  }

  #decideVerdict(meta: Meta, logCopy: LogCopy, { path }: Target): Verdict {
    return decideVerdict(meta, logCopy, path, this.#deps.ports.now())
  }

  #matchEdge({ edgeUrl }: Target): Promise<EdgeCopy | undefined> {
    return this.#ignoreFailure('edge match', this.#deps.edge.match(edgeUrl))
  }

  async #getStored({ kvKey }: Target): Promise<Stored> {
    const { kv, ports } = this.#deps
    if (kvKey === undefined) return null
    return this.#ignoreFailure('kv get', within(KV_READ_TIMEOUT_MS, kv.get(kvKey), ports.sleep))
  }

  async #putEdge({ edgeUrl }: Target, entry: Entry, limitSeconds: number): Promise<void> {
    const { edge, log, ports } = this.#deps
    const { freshUntil, staleUntil, entryType, sequence } = entry.meta
    const hasLog = log.current.newest > 0 && sequence > 0
    const until = SHORT_LIVED.includes(entryType) ? freshUntil : staleUntil
    const maxSeconds = hasLog ? limitSeconds : EDGE_SECONDS.withoutLog
    const seconds = Math.min(maxSeconds, Math.floor((until - ports.now()) / 1000))
    if (seconds > 0) await this.#ignoreFailure('edge put', edge.put(edgeUrl, entry, seconds))
  }

  // A failure is logged, and the request continues without this layer.
  async #ignoreFailure<T>(action: string, work: Promise<T>): Promise<T | undefined> {
    try {
      return await work
    } catch (error) {
      this.#warn(action, error)
      return undefined
    }
  }

  #warn(action: string, error: unknown): void {
    this.#deps.ports.logEvent('warn', { event: 'cache', action, error: String(error) })
  }
}
