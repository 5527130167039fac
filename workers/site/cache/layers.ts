import type { Ports, Scope } from '../ports.ts'
import type { EdgeCopy, EdgeStore } from './edge.ts'
import { type Entry, judge, type Meta, type Verdict } from './entry.ts'
import type { Flights } from './flight.ts'
import type { KvStore } from './kv.ts'
import { isVoid, voidSince } from './record.ts'
import type { KnownRecord, Records } from './records.ts'
import { within } from './time.ts'

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

export type Layers = { read(target: Target, scope: Scope): Promise<Served> }

type Tools = { edge: EdgeStore; kv: KvStore; records: Records; flights: Flights; ports: Ports }

const EDGE_SECONDS = { made: 300, kept: 60 }
const KV_PATIENCE_MS = 1000
const REFRESH_SECONDS = 10
/** No stale copy is kept of these: what they say is short-lived by decision. */
const BRIEF: readonly string[] = ['not_found', 'search']

/** Edge cache, then KV, then making it anew; stale copies are served and refreshed behind the answer. */
export function createLayers({ edge, kv, records, flights, ports }: Tools): Layers {
  const refreshing = new Map<string, number>()

  return { read }

  async function read(target: Target, scope: Scope): Promise<Served> {
    const [known, copy] = await Promise.all([
      records.read(scope),
      scope.measure('edge', matchEdge(target)),
    ])
    const verdict = copy && judge(copy.meta, known.record, target.path, ports.now())
    if (copy && (verdict === 'fresh' || verdict === 'stale')) {
      if (verdict === 'stale') scope.background(refresh(target, scope))
      return { ...copy, layer: 'edge', verdict, collapsed: false }
    }
    // A purge changes the key, so that no request joins work that was begun before it.
    const key = `${target.edgeUrl} ${voidSince(known.record, target.path)}`
    const fallback = verdict === 'expired' ? copy : undefined
    const settled = await flights(key, scope, () => settle(target, known, fallback, scope))
    return { ...settled.value, collapsed: settled.collapsed }
  }

  async function settle(
    target: Target,
    known: KnownRecord,
    copy: EdgeCopy | undefined,
    scope: Scope,
  ): Promise<Omit<Served, 'collapsed'>> {
    const kept = await scope.measure('kv', getKept(target))
    const verdict = kept && judge(kept.meta, known.record, target.path, ports.now())
    const usable = known.known && verdict !== 'void' ? kept : undefined
    if (usable && (verdict === 'fresh' || verdict === 'stale')) {
      scope.background(putEdge(target, usable, EDGE_SECONDS.kept))
      if (verdict === 'stale') scope.background(refresh(target, scope))
      return { meta: usable.meta, body: usable.body, layer: 'kv', verdict }
    }
    try {
      const entry = await make(target, usable, kept !== undefined, scope)
      return { meta: entry.meta, body: entry.body, layer: 'render', verdict: 'fresh' }
    } catch (error) {
      if (usable) return { meta: usable.meta, body: usable.body, layer: 'kv', verdict: 'expired' }
      if (!copy) throw error
      const body = await new Response(copy.body).text()
      return { meta: copy.meta, body, layer: 'edge', verdict: 'expired' }
    }
  }

  async function make(
    target: Target,
    previous: Entry | undefined,
    wasKept: boolean,
    scope: Scope,
  ): Promise<Entry> {
    const entry = await scope.measure('render', target.make(previous, scope))
    if (!isVoid(records.peek(), target.path, entry.meta))
      scope.background(store(target, entry, wasKept))
    return entry
  }

  async function store(target: Target, entry: Entry, wasKept: boolean): Promise<void> {
    const { kvKey } = target
    const keep = kvKey !== undefined && entry.meta.status === 200
    await Promise.all([
      putEdge(target, entry, EDGE_SECONDS.made),
      keep && guard('kv put', kv.put(kvKey, entry)),
      kvKey !== undefined && !keep && wasKept && guard('kv delete', kv.delete(kvKey)),
    ])
  }

  async function refresh(target: Target, scope: Scope): Promise<void> {
    if (!(await claim(target.edgeUrl))) return
    const work = flights(`refresh ${target.edgeUrl}`, scope, async () => {
      const kept = await getKept(target)
      const verdict = kept && judge(kept.meta, records.peek(), target.path, ports.now())
      // Another data centre was quicker.
      if (kept && verdict === 'fresh') return putEdge(target, kept, EDGE_SECONDS.kept)
      await make(target, verdict === 'void' ? undefined : kept, kept !== undefined, scope)
    })
    await guard('refresh', work)
  }

  // One refresh per key: first within this isolate, then within this data centre.
  async function claim(edgeUrl: string): Promise<boolean> {
    const now = ports.now()
    if ((refreshing.get(edgeUrl) ?? 0) > now) return false
    if (refreshing.size > 1000) refreshing.clear()
    refreshing.set(edgeUrl, now + REFRESH_SECONDS * 1000)
    const { host, pathname, search } = new URL(edgeUrl)
    const marker = `https://${host}/__cms/refreshing${pathname}${search}`
    if (await ports.edge.match(marker).catch(() => undefined)) return false
    const headers = { 'cache-control': `public, max-age=${REFRESH_SECONDS}` }
    await guard('marker', ports.edge.put(marker, new Response('', { headers })))
    return true
  }

  async function matchEdge(target: Target): Promise<EdgeCopy | undefined> {
    return guard('edge match', edge.match(target.edgeUrl))
  }

  async function getKept({ kvKey }: Target): Promise<Entry | undefined> {
    if (kvKey === undefined) return undefined
    return guard('kv get', within(KV_PATIENCE_MS, kv.get(kvKey), ports.sleep))
  }

  async function putEdge(target: Target, entry: Entry, atMost: number): Promise<void> {
    const { soft, hard, entryType } = entry.meta
    const until = BRIEF.includes(entryType) ? soft : hard
    const seconds = Math.min(atMost, Math.floor((until - ports.now()) / 1000))
    if (seconds > 0) await guard('edge put', edge.put(target.edgeUrl, entry, seconds))
  }

  // A layer that fails is a layer that has nothing.
  async function guard<T>(action: string, work: Promise<T>): Promise<T | undefined> {
    try {
      return await work
    } catch (error) {
      ports.log('warn', { event: 'layer', action, error: String(error) })
      return undefined
    }
  }
}
