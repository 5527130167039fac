import * as z from 'zod/mini'
import { toCacheControl } from '../../../http/cache-control.ts'
import { within } from '../deadline.ts'
import { parseJson } from '../json.ts'
import { toLogUrl } from '../keys.ts'
import type { Ports, Scope } from '../ports.ts'
import { createSingleFlight } from '../single-flight.ts'
import { isRunDue, type Query, SCHEMA, Snapshot, selectSnapshot } from './queries.ts'

/** A copy of the log; `newest` is 0 before the first read, `fullAsOf` is when all rows were read. */
export const LogCopy = z.pipe(
  z.extend(Snapshot, { fullAsOf: z.int() }),
  z.transform(({ rows, ...head }) => ({ ...head, rows: new Map(rows) })),
)
export type LogCopy = z.infer<typeof LogCopy>

const EMPTY: LogCopy = {
  newest: 0,
  asOf: Number.NaN,
  fullAsOf: 0,
  startedAt: 0,
  followedAt: null,
  failure: null,
  rows: new Map(),
}
/** An empty query, with which a transaction only reads the log. */
export const READ: Query<void> = { statements: [], parse: () => undefined }
const RENEW_AFTER_MS = 2000
/** A request with an older copy waits until it is renewed. */
const USABLE_MS = 5000
const READ_TIMEOUT_MS = 1000
/** For this time after a failed read, no request waits for D1. */
const FAILURE_PAUSE_MS = 5000
const WRITE_TIMEOUT_MS = 5000
const FULL_READ_EVERY_MS = 10 * 60_000
const COPY_HEADERS = { 'cache-control': toCacheControl({ public: true, maxAge: 3600 }) }

interface Deps {
  host: string
  ports: Pick<Ports, 'database' | 'edge' | 'now' | 'sleep' | 'logEvent'>
  /** Called in the background after a read of D1 that finds a run due (`isRunDue`). */
  onRunDue: (scope: Scope) => Promise<void>
}

/** Reads the invalidation log from isolate memory, then from this data centre's edge copy, then from D1. */
export class InvalidationLog {
  readonly #deps: Deps
  readonly #singleFlight
  #copy = EMPTY
  /** D1's clock minus this isolate's clock; too high by the latency, so that no copy seems too young. */
  #offsetMs = Number.NaN
  #attemptedAt = Number.NEGATIVE_INFINITY
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(deps: Deps) {
    this.#deps = deps
    this.#singleFlight = createSingleFlight(deps.ports, {
      leadTimeoutMs: READ_TIMEOUT_MS + 50,
      memoryMs: { value: 0, failure: 0 },
    })
  }

  /** Returns this isolate's copy, without I/O. */
  get current(): LogCopy {
    return this.#copy
  }

  /** Returns a copy that is at most five seconds old, unless D1 fails. Waits only if its own copy is older. */
  async read(scope: Scope): Promise<LogCopy> {
    const now = this.#deps.ports.now()
    const age = this.#ageAt(now)
    if (age < RENEW_AFTER_MS) return this.#copy
    const renew = () => this.#singleFlight('log', scope, () => this.#renew(scope)).catch(() => {})
    const hasFailed = now - this.#failedAt < FAILURE_PAUSE_MS
    if (!hasFailed && age > USABLE_MS) await scope.measure('log', renew())
    else if (now - this.#attemptedAt >= RENEW_AFTER_MS) scope.background(renew())
    return this.#copy
  }

  /**
   * Runs statements and reads the log in one transaction; tries again once, unless `tries` is 1.
   * @throws Error when D1 fails or takes longer than five seconds
   */
  async transact<T>(query: Query<T>, { tries = 2 } = {}): Promise<T> {
    const attempt = within(WRITE_TIMEOUT_MS, this.#run(query), this.#deps.ports.sleep)
    return tries === 1 ? attempt : attempt.catch(() => this.transact(query, { tries: tries - 1 }))
  }

  async #renew(scope: Scope): Promise<void> {
    const { ports, onRunDue } = this.#deps
    this.#attemptedAt = ports.now()
    await this.#readEdgeCopy()
    if (this.#ageAt(ports.now()) < RENEW_AFTER_MS) return
    // A late response is still merged.
    const read = this.#run(READ)
    const readAndFollow = read.then(() => (isRunDue(this.#copy) ? onRunDue(scope) : undefined))
    scope.background(readAndFollow.catch(() => {}))
    try {
      await within(READ_TIMEOUT_MS, read, ports.sleep)
    } catch (error) {
      this.#failedAt = ports.now()
      // Since then another isolate may have read the log, especially if this isolate was suspended.
      await this.#readEdgeCopy()
      this.#warn('read', error)
      throw error
    }
  }

  async #run<T>(query: Query<T>): Promise<T> {
    const { database, now } = this.#deps.ports
    const calledAt = now()
    const { newest, asOf, fullAsOf } = this.#copy
    const after = asOf - fullAsOf >= FULL_READ_EVERY_MS ? 0 : newest
    const read = selectSnapshot(after)
    const statements = [...query.statements, ...read.statements]
    const results = await database.transact(statements).catch(async (error: unknown) => {
      if (!/no such table/i.test(String(error))) throw error
      await database.transact(SCHEMA)
      return database.transact(statements)
    })
    const snapshot = read.parse(results.slice(query.statements.length))
    this.#offsetMs = snapshot.asOf - calledAt
    this.#merge(snapshot, after === 0)
    await this.#putEdgeCopy()
    return query.parse(results)
  }

  #merge(snapshot: Snapshot, isFull: boolean): void {
    const previous = this.#copy
    // A response that is late, or from a restored database, removes no row.
    const rows = new Map(isFull && snapshot.newest >= previous.newest ? [] : previous.rows)
    for (const [key, sequence] of snapshot.rows)
      rows.set(key, Math.max(sequence, rows.get(key) ?? 0))
    const fullAsOf = isFull ? snapshot.asOf : previous.fullAsOf
    const head = snapshot.asOf < previous.asOf ? previous : { ...snapshot, fullAsOf }
    this.#copy = { ...head, newest: Math.max(previous.newest, snapshot.newest), rows }
  }

  async #readEdgeCopy(): Promise<void> {
    const copy = await this.#matchEdgeCopy()
    if (copy && isNewer(copy, this.#copy)) this.#copy = copy
  }

  async #matchEdgeCopy(): Promise<LogCopy | undefined> {
    const { host, ports } = this.#deps
    const response = await ports.edge.match(toLogUrl(host)).catch(() => undefined)
    return response && parseJson(await response.text(), LogCopy)
  }

  async #putEdgeCopy(): Promise<void> {
    const { host, ports } = this.#deps
    const stored = await this.#matchEdgeCopy()
    if (stored && !isNewer(this.#copy, stored)) return
    const copy: z.input<typeof LogCopy> = { ...this.#copy, rows: [...this.#copy.rows] }
    await ports.edge
      .put(toLogUrl(host), new Response(JSON.stringify(copy), { headers: COPY_HEADERS }))
      .catch((error: unknown) => this.#warn('put copy', error))
  }

  #warn(action: string, error: unknown): void {
    this.#deps.ports.logEvent('warn', { event: 'invalidation-log', action, error: String(error) })
  }

  // Infinite before the first read. A clock that was set back counts like one that was set forward.
  #ageAt(now: number): number {
    const age = Math.abs(now + this.#offsetMs - this.#copy.asOf)
    return Number.isNaN(age) ? Number.POSITIVE_INFINITY : age
  }
}

function isNewer(one: LogCopy, other: LogCopy): boolean {
  return one.newest > other.newest || (one.newest === other.newest && one.asOf > other.asOf)
}
