import * as z from 'zod/mini'
import { toCacheControl } from '../../../http/cache-control.ts'
import { within } from '../deadline.ts'
import { parseJson } from '../json.ts'
import { toLogUrl } from '../keys.ts'
import type { Ports, Scope } from '../ports.ts'
import { toListPath } from '../rendering/route.ts'
import { createSingleFlight } from '../single-flight.ts'
import {
  HOST,
  type Query,
  type Row,
  SCHEMA,
  Snapshot,
  selectSnapshot,
  toRunDelay,
} from './queries.ts'

/** What an isolate knows of the log. Until it has read any of it, it knows nothing and may judge nothing. */
export interface Knowledge {
  isAuthoritative: boolean
  /** The newest sequence; 0 when nothing is known. */
  newest: number
  rows: ReadonlyMap<string, Invalidated>
}

/** Sequences; 0: never. */
interface Invalidated {
  purge: number
  change: number
}

/** The newest purge and change that concern the path, by itself, its list or its host; undefined: the host only. */
export function findNewest({ rows }: Knowledge, path: string | undefined): Invalidated {
  const keys = path === undefined ? [] : [path, path.replace(/\/after\/.*/, ''), toListPath(path)]
  return [HOST, ...keys].map((key) => rows.get(key) ?? NEVER).reduce(toNewer)
}

/** Copy of all live rows in the edge cache of a data centre. */
const Copy = z.extend(Snapshot, { fullAsOf: z.int() })
type Copy = z.infer<typeof Copy>

const NEVER: Invalidated = { purge: 0, change: 0 }
const NOTHING: Knowledge = { isAuthoritative: false, newest: 0, rows: new Map() }
const RENEW_AFTER_MS = 2000
const USABLE_MS = 5000
const READ_MS = 1000
const FAILURE_PAUSE_MS = 5000
const WRITE_MS = 5000
/** Visitors who come each second read every two seconds: the next read would be late. */
const ALMOST_DUE_MS = 500
const FULL_READ_EVERY_MS = 10 * 60_000
const COPY_HEADERS = { 'cache-control': toCacheControl({ public: true, maxAge: 3600 }) }

interface Deps {
  host: string
  ports: Pick<Ports, 'database' | 'edge' | 'now' | 'sleep' | 'log'>
  /** Called behind the response of a request that read D1 while no run of following was recent. */
  onRunDue: (scope: Scope) => Promise<void>
}

/** The invalidation log: isolate memory, then this data centre's edge copy, then D1. */
export class InvalidationLog {
  readonly #deps: Deps
  readonly #url: string
  readonly #singleFlight
  #knowledge = NOTHING
  #copy: Omit<Copy, 'rows'> | undefined
  /** D1's clock minus this isolate's, estimated high, by the read that began last. */
  #offset = { ms: Number.NaN, readAt: Number.NEGATIVE_INFINITY }
  #attemptedAt = Number.NEGATIVE_INFINITY
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(deps: Deps) {
    this.#deps = deps
    this.#url = toLogUrl(deps.host)
    this.#singleFlight = createSingleFlight(deps.ports, {
      patienceMs: READ_MS + 50,
      memoryMs: { value: 0, failure: 0 },
    })
  }

  /** What this isolate knows, without any I/O. */
  get current(): Knowledge {
    return this.#knowledge
  }

  /** Knowledge at most five seconds old, unless D1 fails; awaits I/O only when this isolate's is older. */
  async read(scope: Scope): Promise<Knowledge> {
    const now = this.#deps.ports.now()
    const age = this.#ageAt(now)
    if (age < RENEW_AFTER_MS) return this.#knowledge
    const renew = () => this.#singleFlight('log', scope, () => this.#renew(scope)).catch(() => {})
    const hasFailed = now - this.#failedAt < FAILURE_PAUSE_MS
    if (!hasFailed && age > USABLE_MS) await scope.measure('log', renew())
    else if (now - this.#attemptedAt >= RENEW_AFTER_MS) scope.background(renew())
    return this.#knowledge
  }

  /**
   * Runs statements and learns what the log says after them; a repeatable one is tried twice.
   * @throws Error when D1 fails or takes longer than five seconds
   */
  async transact<T>(query: Query<T>, { tries = 2 } = {}): Promise<T> {
    try {
      const { ports } = this.#deps
      const result = await within(WRITE_MS, this.#run(query, this.#knowledge.newest), ports.sleep)
      await this.#putCopy()
      return result
    } catch (error) {
      if (tries === 1) throw error
      return this.transact(query, { tries: tries - 1 })
    }
  }

  /** When following last succeeded, and why it last failed, as far as this isolate knows. */
  get following(): Pick<Snapshot, 'asOf' | 'followedAt' | 'failure'> | undefined {
    return this.#copy
  }

  async #renew(scope: Scope): Promise<void> {
    const { ports, onRunDue } = this.#deps
    this.#attemptedAt = ports.now()
    this.#learnCopy(await this.#matchCopy())
    if (this.#ageAt(ports.now()) < RENEW_AFTER_MS) return
    const reading = this.#run(NO_STATEMENTS, this.#isFullReadDue() ? 0 : this.#knowledge.newest)
    // A late answer still counts.
    scope.background(
      reading.then(
        async () => {
          await this.#putCopy()
          const delay = this.#copy ? toRunDelay(this.#copy) : Number.POSITIVE_INFINITY
          if (delay > ALMOST_DUE_MS) return
          if (delay > 0) await ports.sleep(delay)
          await onRunDue(scope)
        },
        () => {},
      ),
    )
    try {
      await within(READ_MS, reading, ports.sleep)
    } catch (error) {
      this.#failedAt = ports.now()
      ports.log('warn', { event: 'invalidation-log', action: 'read', error: String(error) })
      throw error
    }
  }

  async #run<T>(query: Query<T>, after: number): Promise<T> {
    const { ports } = this.#deps
    const startedAt = ports.now()
    const read = selectSnapshot(after)
    const statements = [...query.statements, ...read.statements]
    const results = await ports.database.transact(statements).catch(async (error: unknown) => {
      if (!/no such table/i.test(String(error))) throw error
      await ports.database.transact(SCHEMA)
      return ports.database.transact(statements)
    })
    const snapshot = read.parse(results.slice(query.statements.length))
    this.#learn(snapshot, startedAt, after === 0)
    return query.parse(results)
  }

  #learn(snapshot: Snapshot, readAt: number, isFull: boolean): void {
    const { rows, ...head } = snapshot
    if (readAt >= this.#offset.readAt) this.#offset = { ms: head.asOf - readAt, readAt }
    const known = this.#knowledge
    // An answer that is late, or of a restored database, takes nothing away.
    const replaces = isFull && head.newest >= known.newest
    const newest = Math.max(known.newest, head.newest)
    this.#knowledge = toKnowledge(newest, rows, replaces ? undefined : known.rows)
    const fullAsOf = isFull ? head.asOf : (this.#copy?.fullAsOf ?? 0)
    const later = this.#copy && head.asOf < this.#copy.asOf ? this.#copy : { ...head, fullAsOf }
    this.#copy = { ...later, newest }
  }

  #learnCopy(copy: Copy | undefined): void {
    if (!copy || !isNewer(copy, this.#copy)) return
    const { rows, ...head } = copy
    this.#copy = head
    this.#knowledge = toKnowledge(head.newest, rows)
  }

  async #matchCopy(): Promise<Copy | undefined> {
    const text = this.#deps.ports.edge.match(this.#url).then((response) => response?.text())
    return parseJson((await text.catch(() => undefined)) ?? '', Copy)
  }

  async #putCopy(): Promise<void> {
    const { edge, log } = this.#deps.ports
    const stored = await this.#matchCopy()
    if (!this.#copy || !isNewer(this.#copy, stored)) return
    const copy: Copy = { ...this.#copy, rows: toRows(this.#knowledge) }
    await edge
      .put(this.#url, new Response(JSON.stringify(copy), { headers: COPY_HEADERS }))
      .catch((error: unknown) =>
        log('warn', { event: 'invalidation-log', action: 'put copy', error: String(error) }),
      )
  }

  #isFullReadDue(): boolean {
    if (!this.#copy) return true
    const now = this.#deps.ports.now() + this.#offset.ms
    return (Number.isNaN(now) ? this.#copy.asOf : now) - this.#copy.fullAsOf >= FULL_READ_EVERY_MS
  }

  // On D1's clock. A clock that was set back counts as one that ran ahead.
  #ageAt(now: number): number {
    const age = Math.abs(now + this.#offset.ms - (this.#copy?.asOf ?? Number.NaN))
    return Number.isNaN(age) ? Number.POSITIVE_INFINITY : age
  }
}

const NO_STATEMENTS: Query<void> = { statements: [], parse: () => undefined }

function isNewer(one: Omit<Copy, 'rows'>, other: Omit<Copy, 'rows'> | undefined): boolean {
  if (!other || one.newest > other.newest) return true
  return one.newest === other.newest && one.asOf > other.asOf
}

function toKnowledge(
  newest: number,
  rows: readonly Row[],
  known: Knowledge['rows'] = new Map(),
): Knowledge {
  const merged = new Map(known)
  for (const { path, kind, sequence } of rows)
    merged.set(path, toNewer(merged.get(path) ?? NEVER, { ...NEVER, [kind]: sequence }))
  return { isAuthoritative: true, newest, rows: merged }
}

function toRows({ rows }: Knowledge): Row[] {
  return [...rows].flatMap(([path, { purge, change }]) => [
    ...(purge > 0 ? [{ path, kind: 'purge', sequence: purge } as const] : []),
    ...(change > 0 ? [{ path, kind: 'change', sequence: change } as const] : []),
  ])
}

const toNewer = (one: Invalidated, other: Invalidated): Invalidated => ({
  purge: Math.max(one.purge, other.purge),
  change: Math.max(one.change, other.change),
})
