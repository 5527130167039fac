import { toPurgeRequest } from '../simulated-network.ts'
import { createCopyRecorder, findViolations, type Purge, RECOVERY_MS } from './guarantees.ts'
import {
  createHistoryNetwork,
  type HistoryIsolate,
  type HistoryNetwork,
  HOST,
  MINUTE,
  OTHER_HOST,
  SECOND,
} from './history-network.ts'
import { createRandomSource, type RandomSource } from './random-source.ts'

export const PAGES: readonly string[] = ['/page-0', '/page-1', '/']

export interface HistoryResult {
  violations: string[]
  visits: number
  /** Visits that showed an older version, including the allowed ones. */
  visitsOfOlderPages: number
}

/** One history: the simulated network, its random events so far, and the result of their checks. */
export class History {
  readonly random: RandomSource
  readonly network: HistoryNetwork
  readonly result: HistoryResult = { violations: [], visits: 0, visitsOfOlderPages: 0 }
  /** The database is being restored; the purge of the site that follows replaces the lost rows. */
  isRestoring = false
  /** When the last stall of D1 ends. */
  stalledUntil = 0
  /** Versions that the API serves, by path. */
  readonly #versions = new Map(PAGES.map((path) => [path, 0]))
  readonly #recordLogCopies: (purges: readonly Purge[]) => void
  #restores = 0
  #purges: Purge[] = []
  #newestVersion = 0
  #d1UnreliableUntil = 0

  constructor(seed: number) {
    this.random = createRandomSource(seed)
    this.network = createHistoryNetwork(this.random)
    this.#recordLogCopies = createCopyRecorder(this.network)
    const { api, otherApi, kv, database, clock } = this.network
    const { between, chance } = this.random
    if (chance(0.8)) database.createTables(api.revision, api.restoreId)
    database.faults.latency = () => Math.max(between(20, 400), this.stalledUntil - clock.now())
    kv.faults.keepsCachedMisses = chance(0.5)
    kv.faults.writeDelay = () => {
      if (chance(0.9)) return 0
      return chance(0.5) ? undefined : between(0, 8 * MINUTE)
    }
    this.useUsualApiDelay()
    for (const index of [0, 1]) this.publish(index)
    otherApi.publish({ slug: 'page-0', title: 'other.' })
  }

  /** Ends a slowdown of the API: most responses take less than 200 ms. */
  useUsualApiDelay(): void {
    const { between, chance } = this.random
    this.network.apiDelay = () => (chance(0.08) ? between(1, 30) * SECOND : between(5, 200))
  }

  publish(index: number = this.random.between(0, 2)): void {
    this.#newestVersion++
    this.#versions.set(`/page-${index}`, this.#newestVersion)
    this.#versions.set('/', this.#newestVersion)
    const title = `v${this.#newestVersion}.`
    this.network.api.publish({ id: index + 1, slug: `page-${index}`, title })
  }

  /** Purges a path or, without one, the site; returns whether that succeeded. */
  async purge(isolate: HistoryIsolate, path: string | undefined): Promise<boolean> {
    const versions = new Map(
      [...this.#versions].filter(([each]) => path === undefined || path === each),
    )
    const restoresBefore = this.#restores
    const body = { host: HOST, ...(path === undefined ? { site: true } : { url: path }) }
    const response = await isolate.fetch(toPurgeRequest(body))
    if (response.status !== 200) return false
    // A restore during the request may have removed the row, but a purge of the site follows each restore.
    if (this.#restores > restoresBefore) return true
    const { clock, database } = this.network
    const row = database
      .rows('invalidations')
      .find((each) => each.kind === 'purge' && each.path === (path ?? ''))
    const sequence = Number(row?.sequence ?? 0)
    const respondedAt = clock.now()
    this.#purges.push({ isolate, respondedAt, versions, sequence, inCopySince: new Map() })
    return true
  }

  /** Visits a page and checks the response: `current` requires the newest version, `cached` any version. */
  async visit(isolate: HistoryIsolate, path: string, mustBe?: 'current' | 'cached'): Promise<void> {
    if (isolate.isAsleep()) return
    const arrivedAt = this.network.clock.now()
    const currentVersion = this.#versions.get(path) ?? 0
    const purges = this.isRestoring ? [] : [...this.#purges]
    this.#recordLogCopies(purges)
    const isD1Reliable = arrivedAt > this.#d1UnreliableUntil
    const response = await isolate.fetch(new Request(`https://${HOST}${path}`))
    const text = await response.text()
    this.result.visits++
    if (response.status !== 200) {
      if (mustBe) this.fail(`${path} must be ${mustBe}, but its status is ${response.status}`)
      return
    }
    if (text.includes('other.')) this.fail(`${path} shows a page of another host`)
    const shownVersion = parseVersion(text)
    if (shownVersion < currentVersion) {
      this.result.visitsOfOlderPages++
      if (mustBe === 'current')
        this.fail(`${path} shows v${shownVersion} instead of v${currentVersion} at the end`)
    }
    const visit = { isolate, path, arrivedAt, shownVersion, purges, isD1Reliable }
    for (const violation of findViolations(visit)) this.fail(violation)
  }

  async visitOtherHost(): Promise<void> {
    const isolate = this.random.pick(this.network.otherIsolates)
    const response = await isolate.fetch(new Request(`https://${OTHER_HOST}/page-0`))
    const text = await response.text()
    if (response.status === 200 && !text.includes('other.'))
      this.fail('another host shows a page of this host')
  }

  /** Empties the edge cache of a data centre, including its copy of the log. */
  clearEdge(dataCentre: number): void {
    this.network.dataCentres[dataCentre]?.edge.clear()
    for (const { inCopySince } of this.#purges) inCopySince.delete(dataCentre)
  }

  /** Discards earlier purges, whose rows a restore has removed. */
  discardPurges(): void {
    this.#restores++
    this.#purges = []
  }

  /** Marks a time in which D1 is slow or fails, so that purges may need more than five seconds. */
  markD1Unreliable(milliseconds: number): void {
    const until = this.network.clock.now() + milliseconds + RECOVERY_MS
    this.#d1UnreliableUntil = Math.max(this.#d1UnreliableUntil, until)
  }

  fail(message: string): void {
    this.result.violations.push(`at ${this.network.clock.now() % (60 * MINUTE)} ms: ${message}`)
  }

  spawn(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.fail(`unexpected error: ${String(error)}`))
  }

  after(milliseconds: number, work: () => void): void {
    this.spawn(this.network.clock.sleep(milliseconds).then(work))
  }
}

function parseVersion(text: string): number {
  return Math.max(...[...text.matchAll(/v(\d+)\./g)].map(([, digits]) => Number(digits)))
}
