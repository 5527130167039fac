import * as z from 'zod/mini'
import { toCacheControl } from '../../../http/cache-control.ts'
import { within } from '../deadline.ts'
import { parseJson } from '../json.ts'
import { toLogUrl } from '../keys.ts'
import type { Ports, Scope } from '../ports.ts'
import { toListPath } from '../rendering/list-path.ts'
import { createSingleFlight } from '../single-flight.ts'
import {
  HOST,
  type Query,
  type Row,
  SCHEMA,
  Snapshot,
  selectSnapshot,
  toKey,
  toRunDelay,
} from './queries.ts'

/** An isolate's copy of the log; not authoritative before its first read. */
export interface Knowledge {
  isAuthoritative: boolean
  /** The newest sequence; 0 before the first read. */
  newest: number
  /** Sequences by kind and path. */
  rows: ReadonlyMap<string, number>
}

const KINDS: readonly Row['kind'][] = ['purge', 'change']

/** The newest sequence that concerns a path, by itself, its list or its host; undefined: by the host only. 0: none. */
export function findNewest({ rows }: Knowledge, path: string | undefined, kinds = KINDS): number {
  const lists = path === undefined ? [] : [path, path.replace(/\/after\/.*/, ''), toListPath(path)]
  const keys = [HOST, ...lists].flatMap((each) => kinds.map((kind) => toKey(kind, each)))
  return Math.max(...keys.map((key) => rows.get(key) ?? 0))
}

/** Copy of all live rows in the edge cache of a data centre; `fullAsOf`: when all of them were read. */
const Copy = z.extend(Snapshot, { fullAsOf: z.int() })
type Copy = z.infer<typeof Copy>
type Head = Omit<Copy, 'rows'>

const NOTHING: Knowledge = { isAuthoritative: false, newest: 0, rows: new Map() }
const NO_STATEMENTS: Query<void> = { statements: [], parse: () => undefined }
const RENEW_AFTER_MS = 2000
const USABLE_MS = 5000
const READ_MS = 1000
const FAILURE_PAUSE_MS = 5000
const WRITE_MS = 5000
/** With a request each second the log is read every two seconds; a later read would exceed five seconds. */
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
  #head: Head | undefined
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

  /** This isolate's copy, without I/O. */
  get current(): Knowledge {
    return this.#knowledge
  }

  /** A copy at most five seconds old, unless D1 fails; awaits I/O only when this isolate's copy is older. */
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
   * Runs statements and reads the log after them; repeatable statements are tried twice.
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

  /** The last success of following and its last failure; undefined before the first read. */
  get following(): Pick<Snapshot, 'asOf' | 'followedAt' | 'failure'> | undefined {
    return this.#head
  }

  async #renew(scope: Scope): Promise<void> {
    const { ports, onRunDue } = this.#deps
    this.#attemptedAt = ports.now()
    this.#learnCopy(await this.#matchCopy())
    if (this.#ageAt(ports.now()) < RENEW_AFTER_MS) return
    const reading = this.#run(NO_STATEMENTS, this.#isFullReadDue() ? 0 : this.#knowledge.newest)
    // A late response is still merged.
    scope.background(
      reading.then(
        async () => {
          await this.#putCopy()
          const delay = this.#head ? toRunDelay(this.#head) : Number.POSITIVE_INFINITY
          if (delay > 0 && delay <= ALMOST_DUE_MS) await ports.sleep(delay)
          if (delay <= ALMOST_DUE_MS) await onRunDue(scope)
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
    const { newest: known, rows: knownRows } = this.#knowledge
    const newest = Math.max(known, head.newest)
    // A response that is late, or from a restored database, removes no row.
    const merged = new Map(isFull && head.newest >= known ? [] : knownRows)
    for (const [key, sequence] of rows) merged.set(key, Math.max(sequence, merged.get(key) ?? 0))
    this.#knowledge = { isAuthoritative: true, newest, rows: merged }
    const fullAsOf = isFull ? head.asOf : (this.#head?.fullAsOf ?? 0)
    const later = this.#head && head.asOf < this.#head.asOf ? this.#head : { ...head, fullAsOf }
    this.#head = { ...later, newest }
  }

  #learnCopy(copy: Copy | undefined): void {
    if (!copy || !isNewer(copy, this.#head)) return
    const { rows, ...head } = copy
    this.#head = head
    this.#knowledge = { isAuthoritative: true, newest: head.newest, rows: new Map(rows) }
  }

  async #matchCopy(): Promise<Copy | undefined> {
    const text = this.#deps.ports.edge.match(this.#url).then((response) => response?.text())
    return parseJson((await text.catch(() => undefined)) ?? '', Copy)
  }

  async #putCopy(): Promise<void> {
    const { edge, log } = this.#deps.ports
    const stored = await this.#matchCopy()
    if (!this.#head || !isNewer(this.#head, stored)) return
    const copy: Copy = { ...this.#head, rows: [...this.#knowledge.rows] }
    await edge
      .put(this.#url, new Response(JSON.stringify(copy), { headers: COPY_HEADERS }))
      .catch((error: unknown) =>
        log('warn', { event: 'invalidation-log', action: 'put copy', error: String(error) }),
      )
  }

  #isFullReadDue(): boolean {
    if (!this.#head) return true
    const { asOf, fullAsOf } = this.#head
    return (
      Math.max(asOf, this.#toD1Time(this.#deps.ports.now()) || 0) - fullAsOf >= FULL_READ_EVERY_MS
    )
  }

  // A clock that was set back is treated like one that ran ahead.
  #ageAt(now: number): number {
    const age = Math.abs(this.#toD1Time(now) - (this.#head?.asOf ?? Number.NaN))
    return Number.isNaN(age) ? Number.POSITIVE_INFINITY : age
  }

  // NaN before the first read.
  #toD1Time(now: number): number {
    return now + this.#offset.ms
  }
}

function isNewer(one: Head, other: Head | undefined): boolean {
  if (!other || one.newest > other.newest) return true
  return one.newest === other.newest && one.asOf > other.asOf
}
