import { isVoid, type PurgeRecord, voidSince } from '../invalidation/record.ts'
import type { KnownRecord, Records } from '../invalidation/records.ts'
import type { Ports, Scope } from '../ports.ts'
import { within } from './deadline.ts'
import { discard, type EdgeCopy, type EdgeStore } from './edge.ts'
import { type Entry, judge, type Meta, type Verdict } from './entry.ts'
import type { KvStore } from './kv.ts'
import type { ClaimRefresh } from './revalidation-lock.ts'
import type { Flights } from './single-flight.ts'

/** One thing that is cached: where it lies, and how it is made, or renewed from what was kept. */
export type Target = {
  /** Its path in the purge record; undefined: only the floor concerns it. */
  path: string | undefined
  edgeUrl: string
  kvKey: string | undefined
  make: (previous: Entry | undefined, scope: Scope) => Promise<Entry>
}

export type Served = {
  meta: Meta
  body: string | ReadableStream | null
  layer: 'edge' | 'kv' | 'render'
  verdict: Exclude<Verdict, 'void'>
  collapsed: boolean
}

type Found = Omit<Served, 'collapsed'>
type Tools = {
  edge: EdgeStore
  kv: KvStore
  records: Records
  flights: Flights
  claimRefresh: ClaimRefresh
  ports: Ports
}

const EDGE_SECONDS = { made: 300, kept: 60 }
const KV_PATIENCE_MS = 1000
/** No stale copy is kept of these: what they say is short-lived by decision. */
const BRIEF: readonly string[] = ['not_found', 'search']

/** Edge cache, then KV, then making it anew; stale copies are served and refreshed behind the answer. */
export class Layers {
  readonly #tools: Tools

  constructor(tools: Tools) {
    this.#tools = tools
  }

  /** @throws what `make` throws, when no layer holds anything that may be served */
  async read(target: Target, scope: Scope): Promise<Served> {
    const { records, flights } = this.#tools
    const [known, copy] = await Promise.all([
      records.read(scope),
      scope.measure('edge', this.#matchEdge(target)),
    ])
    const verdict = copy && this.#judge(copy.meta, known.record, target)
    if (copy && (verdict === 'fresh' || verdict === 'stale')) {
      if (verdict === 'stale') scope.background(this.#refresh(target, scope))
      return { ...copy, layer: 'edge', verdict, collapsed: false }
    }
    const fallback = verdict === 'expired' ? copy : undefined
    if (!fallback) discard(copy)
    // A purge changes the key, so that no request joins work that was begun before it.
    const key = `${target.edgeUrl} ${voidSince(known.record, target.path)}`
    const find = () => this.#find(target, known, fallback, scope)
    const { value, collapsed } = await flights(key, scope, find).finally(() => discard(fallback))
    return { ...value, collapsed }
  }

  async #find(
    target: Target,
    { record, known }: KnownRecord,
    fallback: EdgeCopy | undefined,
    scope: Scope,
  ): Promise<Found> {
    const kept = await scope.measure('kv', this.#getKept(target))
    const verdict = kept && this.#judge(kept.meta, record, target)
    if (kept && known && (verdict === 'fresh' || verdict === 'stale')) {
      scope.background(this.#putEdge(target, kept, EDGE_SECONDS.kept))
      if (verdict === 'stale') scope.background(this.#refresh(target, scope))
      return { meta: kept.meta, body: kept.body, layer: 'kv', verdict }
    }
    const previous = (known && verdict !== 'void' && kept) || undefined
    try {
      const { meta, body } = await this.#make(target, previous, kept !== null, scope)
      return { meta, body, layer: 'render', verdict: 'fresh' }
    } catch (error) {
      this.#warn('make', error)
      if (previous)
        return { meta: previous.meta, body: previous.body, layer: 'kv', verdict: 'expired' }
      if (!fallback) throw error
      const body = await new Response(fallback.body).text()
      return { meta: fallback.meta, body, layer: 'edge', verdict: 'expired' }
    }
  }

  async #refresh(target: Target, scope: Scope): Promise<void> {
    const { claimRefresh, flights, records } = this.#tools
    if (!(await claimRefresh(target.edgeUrl))) return
    const refreshed = flights(`refresh ${target.edgeUrl}`, scope, async () => {
      const kept = await this.#getKept(target)
      const verdict = kept && this.#judge(kept.meta, records.peek(), target)
      // Another data centre was quicker.
      if (kept && verdict === 'fresh') return this.#putEdge(target, kept, EDGE_SECONDS.kept)
      const previous = (verdict !== 'void' && kept) || undefined
      await this.#make(target, previous, kept !== null, scope)
    })
    await this.#guard('refresh', refreshed)
  }

  async #make(
    target: Target,
    previous: Entry | undefined,
    mayBeKept: boolean,
    scope: Scope,
  ): Promise<Entry> {
    const entry = await scope.measure('render', target.make(previous, scope))
    if (!isVoid(this.#tools.records.peek(), target.path, entry.meta))
      scope.background(this.#store(target, entry, mayBeKept))
    return entry
  }

  async #store(target: Target, entry: Entry, mayBeKept: boolean): Promise<void> {
    const { kv } = this.#tools
    const { kvKey } = target
    const keep = entry.meta.status === 200
    await Promise.all([
      this.#putEdge(target, entry, EDGE_SECONDS.made),
      kvKey !== undefined && keep && this.#guard('kv put', kv.put(kvKey, entry)),
      kvKey !== undefined && !keep && mayBeKept && this.#guard('kv delete', kv.delete(kvKey)),
    ])
  }

  #judge(meta: Meta, record: PurgeRecord, { path }: Target): Verdict {
    return judge(meta, record, path, this.#tools.ports.now())
  }

  #matchEdge({ edgeUrl }: Target): Promise<EdgeCopy | undefined> {
    return this.#guard('edge match', this.#tools.edge.match(edgeUrl))
  }

  // Undefined: KV may hold what nobody could read.
  async #getKept({ kvKey }: Target): Promise<Entry | null | undefined> {
    const { kv, ports } = this.#tools
    if (kvKey === undefined) return null
    return this.#guard('kv get', within(KV_PATIENCE_MS, kv.get(kvKey), ports.sleep))
  }

  async #putEdge({ edgeUrl }: Target, entry: Entry, atMost: number): Promise<void> {
    const { edge, ports } = this.#tools
    const { soft, hard, entryType } = entry.meta
    const until = BRIEF.includes(entryType) ? soft : hard
    const seconds = Math.min(atMost, Math.floor((until - ports.now()) / 1000))
    if (seconds > 0) await this.#guard('edge put', edge.put(edgeUrl, entry, seconds))
  }

  // A layer that fails is a layer that has nothing.
  async #guard<T>(action: string, work: Promise<T>): Promise<T | undefined> {
    try {
      return await work
    } catch (error) {
      this.#warn(action, error)
      return undefined
    }
  }

  #warn(action: string, error: unknown): void {
    this.#tools.ports.log('warn', { event: 'layer', action, error: String(error) })
  }
}
