import * as z from 'zod/mini'
import { toCacheControl } from '../../../http/cache-control.ts'
import { within } from '../deadline.ts'
import { parseJson } from '../json.ts'
import { toLogUrl } from '../keys.ts'
import type { Ports, Scope } from '../ports.ts'
import { createSingleFlight } from '../single-flight.ts'
import { isRunDue, type Query, SCHEMA, Snapshot, selectSnapshot } from './queries.ts'

/** All live rows of the log at one instant. `fullAsOf`: the last instant at which all of them were read. */
const Copy = z.pipe(
  z.extend(Snapshot, { fullAsOf: z.int() }),
  z.transform(({ rows, ...head }) => ({ ...head, rows: new Map(rows) })),
)
/** An isolate's copy of the log: sequences by kind and path; `newest` is 0 before the first read. */
export type Knowledge = z.infer<typeof Copy>

const NOTHING: Knowledge = {
  newest: 0,
  asOf: Number.NaN,
  fullAsOf: 0,
  startedAt: 0,
  followedAt: null,
  failure: null,
  rows: new Map(),
}
/** A transaction that only reads the log. */
export const READ: Query<void> = { statements: [], parse: () => undefined }
const RENEW_AFTER_MS = 2000
const USABLE_MS = 5000
const READ_MS = 1000
const FAILURE_PAUSE_MS = 5000
const WRITE_MS = 5000
const FULL_READ_EVERY_MS = 10 * 60_000
const COPY_HEADERS = { 'cache-control': toCacheControl({ public: true, maxAge: 3600 }) }

interface Deps {
  host: string
  ports: Pick<Ports, 'database' | 'edge' | 'now' | 'sleep' | 'log'>
  /** Called after the response to a request that read D1 while the change log had not been followed recently. */
  onRunDue: (scope: Scope) => Promise<void>
}

/** The invalidation log: isolate memory, then this data centre's edge copy, then D1. */
export class InvalidationLog {
  readonly #deps: Deps
  readonly #singleFlight
  #knowledge = NOTHING
  /** D1's clock minus this isolate's; never too low, since D1 responds after a read began. */
  #offsetMs = Number.NaN
  #attemptedAt = Number.NEGATIVE_INFINITY
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(deps: Deps) {
    this.#deps = deps
    this.#singleFlight = createSingleFlight(deps.ports, {
      leadTimeoutMs: READ_MS + 50,
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
    const attempt = within(WRITE_MS, this.#run(query), this.#deps.ports.sleep)
    return tries === 1 ? attempt : attempt.catch(() => this.transact(query, { tries: tries - 1 }))
  }

  async #renew(scope: Scope): Promise<void> {
    const { ports, onRunDue } = this.#deps
    this.#attemptedAt = ports.now()
    await this.#learnCopy()
    if (this.#ageAt(ports.now()) < RENEW_AFTER_MS) return
    // A late response is still merged.
    const reading = this.#run(READ)
    const following = reading.then(() => (isRunDue(this.#knowledge) ? onRunDue(scope) : undefined))
    scope.background(following.catch(() => {}))
    try {
      await within(READ_MS, reading, ports.sleep)
    } catch (error) {
      this.#failedAt = ports.now()
      // Another isolate may have read the log since, above all when this one was suspended.
      await this.#learnCopy()
      ports.log('warn', { event: 'invalidation-log', action: 'read', error: String(error) })
      throw error
    }
  }

  async #run<T>(query: Query<T>): Promise<T> {
    const { database, now } = this.#deps.ports
    const startedAt = now()
    const { newest, asOf, fullAsOf } = this.#knowledge
    const after = asOf - fullAsOf >= FULL_READ_EVERY_MS ? 0 : newest
    const read = selectSnapshot(after)
    const statements = [...query.statements, ...read.statements]
    const results = await database.transact(statements).catch(async (error: unknown) => {
      if (!/no such table/i.test(String(error))) throw error
      await database.transact(SCHEMA)
      return database.transact(statements)
    })
    const snapshot = read.parse(results.slice(query.statements.length))
    this.#offsetMs = snapshot.asOf - startedAt
    this.#merge(snapshot, after === 0)
    await this.#putCopy()
    return query.parse(results)
  }

  #merge(snapshot: Snapshot, isFull: boolean): void {
    const known = this.#knowledge
    // A response that is late, or from a restored database, removes no row.
    const rows = new Map(isFull && snapshot.newest >= known.newest ? [] : known.rows)
    for (const [key, sequence] of snapshot.rows)
      rows.set(key, Math.max(sequence, rows.get(key) ?? 0))
    const fullAsOf = isFull ? snapshot.asOf : known.fullAsOf
    const head = snapshot.asOf < known.asOf ? known : { ...snapshot, fullAsOf }
    this.#knowledge = { ...head, newest: Math.max(known.newest, snapshot.newest), rows }
  }

  async #learnCopy(): Promise<void> {
    const copy = await this.#matchCopy()
    if (copy && isNewer(copy, this.#knowledge)) this.#knowledge = copy
  }

  async #matchCopy(): Promise<Knowledge | undefined> {
    const { host, ports } = this.#deps
    const response = await ports.edge.match(toLogUrl(host)).catch(() => undefined)
    return response && parseJson(await response.text(), Copy)
  }

  async #putCopy(): Promise<void> {
    const { host, ports } = this.#deps
    const stored = await this.#matchCopy()
    if (stored && !isNewer(this.#knowledge, stored)) return
    const copy: z.input<typeof Copy> = { ...this.#knowledge, rows: [...this.#knowledge.rows] }
    await ports.edge
      .put(toLogUrl(host), new Response(JSON.stringify(copy), { headers: COPY_HEADERS }))
      .catch((error: unknown) =>
        ports.log('warn', { event: 'invalidation-log', action: 'put copy', error: String(error) }),
      )
  }

  // Infinite before the first read. A clock that was set back is treated like one that ran ahead.
  #ageAt(now: number): number {
    const age = Math.abs(now + this.#offsetMs - this.#knowledge.asOf)
    return Number.isNaN(age) ? Number.POSITIVE_INFINITY : age
  }
}

function isNewer(one: Knowledge, other: Knowledge): boolean {
  return one.newest > other.newest || (one.newest === other.newest && one.asOf > other.asOf)
}
