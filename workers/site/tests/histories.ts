import type { Kv, Ports } from '../ports.ts'
import { createSite } from '../site.ts'
import { createClock } from './clock.ts'
import { createDatabaseDouble } from './database.ts'
import { createEdgeDouble, type EdgeDouble } from './edge.ts'
import { createKvDouble } from './kv.ts'
import { createRandom } from './random.ts'
import { createReadApi } from './read-api.ts'
import { HOST, SECRET, toConfig, toPurgeRequest } from './world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const OTHER_HOST = 'other.test'
const PAGES = ['/page-0', '/page-1', '/']
/** After this time a purge is effective in every data centre. */
const PROMISE_MS = 5 * SECOND
/** Reads fail after a second, and for five more an isolate uses what it knows. */
const RECOVERY_MS = 8 * SECOND

export interface HistoryResult {
  violations: string[]
  visits: number
  /** Visits that saw an older page, where that was allowed. */
  old: number
}

/** A successful purge: the versions that every visitor sees from then on. */
interface Purge {
  sentAt: number
  answeredAt: number
  dataCentre: number
  versions: ReadonlyMap<string, number>
  /** Data centres whose edge copy of the log has the row, since when. */
  knownIn: Map<number, number>
  sequence: number
}

interface Isolate {
  dataCentre: number
  fetch(request: Request): Promise<Response>
  runCron(): Promise<void>
  isUnreachable(): boolean
  sleepFor(milliseconds: number): void
  die(): void
}

/**
 * One random history of a host: editors publish and purge, visitors come in several data centres, and the platform
 * fails: KV late, cached and lossy, D1 slow, stalled, down, recreated or restored, isolates that die or sleep,
 * clocks hours apart, an API that is slow or fails. Every served page is checked against the guarantees.
 */
export async function runHistory(seed: number): Promise<HistoryResult> {
  const world = createHistoryWorld(seed)
  const { chance, between, pick, clock } = world
  const minutes = chance(0.15) ? between(20, 30) : between(2, 6)
  const end = clock.now() + minutes * MINUTE
  const density = minutes > 10 ? 8 * SECOND : 3 * SECOND
  let nextCron = clock.now() + between(1, MINUTE)
  while (clock.now() < end) {
    await clock.advance(between(50, density))
    if (clock.now() >= nextCron) {
      nextCron += MINUTE
      world.spawn(pick(world.isolates).runCron())
    }
    world.act()
  }
  await world.settle()
  return world.result
}

function createHistoryWorld(seed: number) {
  const random = createRandom(seed)
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from))
  const chance = (probability: number) => random() < probability
  const pick = <T>(list: readonly T[]): T => list[between(0, list.length)] as T
  const clock = createClock()
  const api = createReadApi()
  const otherApi = createReadApi()
  const kv = createKvDouble(clock)
  const database = createDatabaseDouble(clock)
  const otherDatabase = createDatabaseDouble(clock)
  if (chance(0.8)) database.follow(api.revision, api.restoreId)
  kv.faults.remembersMisses = chance(0.5)
  const result: HistoryResult = { violations: [], visits: 0, old: 0 }
  const versions = new Map(PAGES.map((path) => [path, 0]))
  const purges: Purge[] = []
  /** Periods in which the guarantee of five seconds does not apply. */
  let unjudgedUntil = 0
  let stalledUntil = 0
  let isDown = false
  let version = 0
  let isRestoring = false

  database.faults.latency = () => {
    const latency = between(20, 400)
    return Math.max(latency, stalledUntil - clock.now())
  }
  kv.faults.delay = () => (chance(0.9) ? 0 : chance(0.5) ? undefined : between(0, 8 * MINUTE))
  const usualDelay = () => (chance(0.08) ? between(1, 30) * SECOND : between(5, 200))
  let apiDelay = usualDelay
  // Some responses are read from the database long before they arrive.
  const fetchSlowly = async (fetching: Promise<Response>) => {
    const response = await fetching
    await clock.sleep(apiDelay())
    return response
  }

  const dataCentres = Array.from({ length: 3 }, (_, index) => ({
    edge: createEdgeDouble(clock.now),
    kv: kv.in(`dc-${index}`),
  }))
  const isolates: Isolate[] = []
  const open = () => isolates.push(openIsolate(between(0, dataCentres.length)))
  for (let count = 0; count < 6; count++) open()
  const others = dataCentres.map((_, index) => openIsolate(index, true))
  for (const index of [0, 1]) publish(index)
  otherApi.publish({ slug: 'page-0', title: 'other.' })

  return { clock, isolates, result, between, chance, pick, spawn, act, settle }

  function act(): void {
    const roll = random()
    if (roll < 0.72) spawn(visit(pick(isolates), pick(PAGES)))
    else if (roll < 0.74) spawn(visitOther())
    else if (roll < 0.8) publish()
    else if (roll < 0.88) {
      if (chance(0.7)) publish()
      spawn(purge(pick(isolates), chance(0.75) ? pick(PAGES) : undefined))
    } else disturb()
  }

  function publish(index = between(0, 2)): void {
    version++
    versions.set(`/page-${index}`, version)
    versions.set('/', version)
    api.publish({ id: index + 1, slug: `page-${index}`, title: `v${version}.` })
  }

  function disturb(): void {
    const disturbances = [
      () => stall(between(2, 60) * SECOND),
      () => stall(between(2, 10) * SECOND),
      () => breakDatabase(between(1, 90) * SECOND),
      () => {
        database.faults.losesResponses = true
        later(between(1, 10) * SECOND, () => {
          database.faults.losesResponses = false
        })
        unjudge(10 * SECOND)
      },
      () => spawn(restore()),
      () => {
        api.mode = 'failing'
        later(between(1, 60) * SECOND, () => {
          api.mode = 'well'
        })
      },
      () => {
        apiDelay = () => between(1, 90) * SECOND
        later(between(1, 30) * SECOND, () => {
          apiDelay = usualDelay
        })
      },
      () => replace(pick(isolates), (isolate) => isolate.die()),
      () => pick(isolates).sleepFor(between(1, 600) * SECOND),
      () => pick(dataCentres).edge.clear(),
      () => {
        kv.faults.failing = (operation) => operation !== 'get' && chance(0.5)
        later(between(1, 60) * SECOND, () => {
          kv.faults.failing = false
        })
      },
      () => open(),
    ]
    pick(disturbances)()
  }

  function stall(milliseconds: number): void {
    stalledUntil = Math.max(stalledUntil, clock.now() + milliseconds)
    unjudge(milliseconds)
  }

  function breakDatabase(milliseconds: number): void {
    isDown = true
    database.faults.failing = true
    unjudge(milliseconds)
    later(milliseconds, () => {
      isDown = false
      database.faults.failing = false
    })
  }

  // As in the runbook, a purge of the site follows.
  async function restore(): Promise<void> {
    if (isRestoring || isDown) return
    isRestoring = true
    if (chance(0.5)) database.recreate()
    else {
      const goBack = database.snapshot()
      await clock.sleep(between(1, 120) * SECOND)
      goBack()
    }
    // The purge of the site replaces the rows that were lost.
    purges.length = 0
    while (!(await purge(openIsolate(0), undefined))) await clock.sleep(5 * SECOND)
    unjudge(0)
    isRestoring = false
  }

  function unjudge(milliseconds: number): void {
    unjudgedUntil = Math.max(unjudgedUntil, clock.now() + milliseconds + RECOVERY_MS)
  }

  async function purge(isolate: Isolate, path: string | undefined): Promise<boolean> {
    const sentAt = clock.now()
    const concerned = path === undefined ? PAGES : [path]
    const shown = new Map(concerned.map((each) => [each, versions.get(each) ?? 0]))
    const wasRestoring = isRestoring
    const body = { host: HOST, ...(path === undefined ? { site: true } : { url: path }) }
    const response = await isolate.fetch(toPurgeRequest(body))
    if (response.status !== 200) return false
    if (isRestoring && wasRestoring === false) return true
    const rows = database.rows('invalidations').filter(({ kind }) => kind === 'purge')
    const sequence = Number(rows.find((row) => row.path === (path ?? ''))?.sequence ?? 0)
    const { dataCentre } = isolate
    const answeredAt = clock.now()
    purges.push({ sentAt, answeredAt, dataCentre, versions: shown, knownIn: new Map(), sequence })
    return true
  }

  async function visit(isolate: Isolate, path: string, isLast = false): Promise<void> {
    if (isolate.isUnreachable()) return
    const arrivedAt = clock.now()
    const current = versions.get(path) ?? 0
    const applicable = [...purges]
    noteKnown(applicable)
    const isJudged = arrivedAt > unjudgedUntil
    const isRestored = isRestoring
    const response = await isolate.fetch(new Request(`https://${HOST}${path}`))
    const text = await response.text()
    result.visits++
    if (response.status !== 200) {
      if (isLast) fail(`${path} answers ${response.status} after everything has settled`)
      return
    }
    const shown = Math.max(...[...text.matchAll(/v(\d+)\./g)].map(([, digits]) => Number(digits)))
    if (text.includes('other.')) fail(`${path} shows a page of another host`)
    if (shown < current) result.old++
    if (isLast && shown < current) fail(`${path} shows v${shown} instead of v${current} at the end`)
    for (const one of applicable) {
      const promised = one.versions.get(path)
      if (promised === undefined || shown >= promised || isRestored) continue
      const age = arrivedAt - one.answeredAt
      const known = one.knownIn.get(isolate.dataCentre)
      if (isJudged && age > PROMISE_MS)
        fail(`${path} shows v${shown}, ${age} ms after v${promised} was purged`)
      else if (known !== undefined && arrivedAt - known > RECOVERY_MS)
        fail(`${path} shows v${shown} again, ${arrivedAt - known} ms after this data centre knew`)
    }
  }

  async function visitOther(): Promise<void> {
    const response = await pick(others).fetch(new Request(`https://${OTHER_HOST}/page-0`))
    const text = await response.text()
    if (response.status === 200 && !text.includes('other.'))
      fail('another host shows a page of this one')
  }

  /** Since when the edge copy of a data centre has a purge; a lost copy has none. */
  function noteKnown(applicable: readonly Purge[]): void {
    for (const [index, { edge }] of dataCentres.entries()) {
      const copy = edge.copies.get(`https://${HOST}/__cms/invalidation-log`)
      const newest = copy ? Number(JSON.parse(copy.body).newest) : 0
      for (const one of applicable) {
        if (newest < one.sequence) one.knownIn.delete(index)
        else if (!one.knownIn.has(index)) one.knownIn.set(index, clock.now())
      }
    }
  }

  async function settle(): Promise<void> {
    api.mode = 'well'
    apiDelay = () => between(5, 200)
    while (isDown || isRestoring || stalledUntil > clock.now()) await clock.advance(SECOND)
    kv.faults.failing = false
    kv.faults.delay = () => 0
    for (const edge of [0, 1, 2].map((index) => openIsolate(index))) isolates.push(edge)
    for (let cron = 0; cron < 2; cron++) {
      spawn(isolates[isolates.length - 1 - cron]?.runCron() ?? Promise.resolve())
      await clock.advance(MINUTE)
    }
    const check = async () => {
      for (const path of PAGES) for (const isolate of isolates) spawn(visit(isolate, path, true))
      await clock.advance(20 * SECOND)
    }
    // Outdated pages are revalidated by their first visitors.
    for (const isolate of isolates) for (const path of PAGES) spawn(visit(isolate, path))
    await clock.advance(20 * SECOND)
    await check()
    if (chance(0.9)) return
    for (let cron = 0; cron < 17; cron++) {
      spawn(pick(isolates.slice(-3)).runCron())
      await clock.advance(MINUTE)
    }
    await check()
  }

  function fail(message: string): void {
    result.violations.push(`at ${clock.now() % (60 * MINUTE)} ms: ${message}`)
  }

  function spawn(work: Promise<unknown>): void {
    work.catch((error: unknown) => fail(`unexpected: ${String(error)}`))
  }

  function later(milliseconds: number, work: () => void): void {
    void clock.sleep(milliseconds).then(work)
  }

  function replace(isolate: Isolate, end: (isolate: Isolate) => void): void {
    end(isolate)
    isolates.splice(isolates.indexOf(isolate), 1, openIsolate(isolate.dataCentre))
  }

  function openIsolate(dataCentre: number, isOther = false): Isolate {
    const local = dataCentres[dataCentre] as { edge: EdgeDouble; kv: Kv }
    const skew = chance(0.8) ? between(-10, 10) * SECOND : between(-5, 5) * 60 * MINUTE
    let awakeAt = 0
    let isDead = false
    /** An isolate that sleeps or is dead sees no result of its I/O meanwhile. */
    const gate = async <T>(work: Promise<T>): Promise<T> => {
      const settled = await Promise.allSettled([work])
      if (isDead) await new Promise(() => {})
      while (awakeAt > clock.now()) await clock.sleep(awakeAt - clock.now())
      const [outcome] = settled
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    }
    const content = isOther ? otherApi : api
    const ports: Ports = {
      kv: {
        get: (key) => gate(local.kv.get(key)),
        getWithMetadata: (key) => gate(local.kv.getWithMetadata(key)),
        put: (...given) => gate(local.kv.put(...given)),
        delete: (key) => gate(local.kv.delete(key)),
        list: (options) => gate(local.kv.list(options)),
      },
      edge: {
        match: (url) => gate(local.edge.match(url)),
        put: (url, response) => gate(local.edge.put(url, response)),
        delete: (url) => gate(local.edge.delete(url)),
      },
      database: {
        transact: (statements) => gate((isOther ? otherDatabase : database).transact(statements)),
      },
      fetch: (url, init) => gate(fetchSlowly(content.fetch(url, init))),
      now: () => clock.now() + skew,
      random,
      sleep: (milliseconds) => gate(clock.sleep(milliseconds)),
      allowsSearch: async () => true,
      log: () => {},
    }
    const host = isOther ? OTHER_HOST : HOST
    const site = createSite({ ...toConfig(), host, adminSecret: SECRET }, ports)
    return {
      dataCentre,
      fetch: (request) => site.fetch(request, (work) => void work.catch(() => {})),
      runCron: () => site.scheduled((work) => void work.catch(() => {})),
      isUnreachable: () => awakeAt > clock.now(),
      sleepFor: (milliseconds) => {
        awakeAt = clock.now() + milliseconds
      },
      die: () => {
        isDead = true
      },
    }
  }
}
