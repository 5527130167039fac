import { createRandom } from '../workers/site/tests/random.ts'
import {
  createSimulatedNetwork,
  HOST,
  type Isolate,
  toPurgeRequest,
} from '../workers/site/tests/simulated-network.ts'
import { report } from './lib/report.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const DATA_CENTRES = 20
const EVENTS = 100
const PATH = '/lighthouse'

const random = createRandom(7)
const between = (from: number, to: number) => from + Math.floor(random() * (to - from))

type FreshnessRun = Awaited<ReturnType<typeof startSimulation>>

/**
 * Simulates data centres with a KV whose writes are visible elsewhere after 60 seconds, a D1 that responds in
 * 20 to 400 ms, clocks that differ by up to twenty seconds, and a cron trigger each minute.
 */
async function startSimulation() {
  const network = createSimulatedNetwork()
  network.database.faults.latency = () => between(20, 400)
  const isolates = Array.from({ length: DATA_CENTRES }, (_, index) =>
    network.createIsolate(`dc-${index}`, {
      clockSkewMs: between(-10 * SECOND_MS, 10 * SECOND_MS),
      ports: { random },
    }),
  )
  const repeat = async (milliseconds: number, work: () => Promise<unknown>) => {
    for (;;) {
      await network.clock.sleep(milliseconds)
      void work()
    }
  }
  const background = (work: Promise<unknown>) => void work.catch(() => {})
  void repeat(MINUTE_MS, async () => isolates[between(0, DATA_CENTRES)]?.site.scheduled(background))
  return { ...network, isolates, repeat, background }
}

/**
 * Returns the sorted milliseconds until all data centres serve each change, at one request a second in each.
 * `onPublish` runs right after a change is committed; it may purge the page.
 */
async function measureBusy(onPublish: (network: FreshnessRun) => void): Promise<number[]> {
  const network = await startSimulation()
  const { api, clock, isolates, repeat } = network
  /** Milliseconds until each isolate showed the newest version; 0: not yet. */
  const delays = isolates.map(() => 0)
  let version = 0
  let publishedAt = 0
  const visit = async (isolate: Isolate, index: number) => {
    const arrived = clock.now()
    const shown = Number(/v(\d+)\./.exec(await fetchText(isolate, network))?.[1])
    if (shown === version && delays[index] === 0) delays[index] = arrived - publishedAt
  }
  for (const [index, isolate] of isolates.entries()) {
    await clock.advance(SECOND_MS / DATA_CENTRES)
    void repeat(SECOND_MS, () => visit(isolate, index))
  }
  const times: number[] = []
  for (let event = 0; event < EVENTS; event++) {
    await clock.advance(between(20, 50) * SECOND_MS)
    publishedAt = clock.now()
    api.publish({ title: `v${++version}.` })
    delays.fill(0)
    onPublish(network)
    while (delays.includes(0)) await clock.advance(SECOND_MS)
    times.push(Math.max(...delays))
  }
  return times.toSorted((one, other) => one - other)
}

/**
 * Returns the sorted milliseconds until a data centre serves each change on an idle host, where only the cron
 * trigger reads the change log. The first request arrives five seconds after that reading.
 */
async function measureIdle(): Promise<number[]> {
  const network = await startSimulation()
  const { api, clock, isolates, database } = network
  const times: number[] = []
  for (let event = 1; event <= EVENTS; event++) {
    await clock.advance(between(60, 180) * SECOND_MS)
    const publishedAt = clock.now()
    api.publish({ title: `v${event}.` })
    const hasReadChange = () => database.rows('state')[0]?.revision === api.revision
    while (!hasReadChange()) await clock.advance(SECOND_MS)
    await clock.advance(5 * SECOND_MS)
    const isolate = isolates[between(0, DATA_CENTRES)]
    if (!isolate) throw new Error('There is no isolate')
    const arrived = clock.now()
    const text = await clock.runUntil(fetchText(isolate, network))
    if (!text.includes(`v${event}.`)) throw new Error(`v${event} is not shown on an idle host`)
    times.push(arrived - publishedAt)
  }
  return times.toSorted((one, other) => one - other)
}

async function fetchText({ site }: Isolate, { background }: FreshnessRun): Promise<string> {
  return (await site.fetch(new Request(`https://${HOST}${PATH}`), background)).text()
}

function purge({ isolates, background }: FreshnessRun): void {
  const request = toPurgeRequest({ host: HOST, url: PATH })
  background(
    isolates[between(0, DATA_CENTRES)]?.site.fetch(request, background) ?? Promise.resolve(),
  )
}

/** Counts the operations of one isolate in a minute, at ten hits a second. */
async function countOperations() {
  const { createIsolate, clock, database, kv } = createSimulatedNetwork()
  const isolate = createIsolate()
  await isolate.get(PATH)
  await clock.advance(SECOND_MS)
  await isolate.get(PATH)
  await isolate.waitForBackgroundWork()
  database.clearTransactions()
  kv.operations = 0
  for (let hit = 0; hit < 600; hit++) {
    await clock.advance(100)
    await isolate.get(PATH)
  }
  const claims = database.transactions.filter(([first]) =>
    first?.sql.startsWith('UPDATE state SET started_at'),
  )
  const reads = database.transactions.filter(([first]) => first?.sql.startsWith('SELECT'))
  return { claims: claims.length, reads: reads.length, kv: kv.operations }
}

/** Returns a quantile of sorted milliseconds, in seconds. */
const toQuantile = (sorted: readonly number[], part: number): number =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN) / SECOND_MS

const toFigures = (name: string, sorted: readonly number[], p99: number, max: number) => [
  { name: `freshness.${name}.median`, value: toQuantile(sorted, 0.5), unit: 's' },
  {
    name: `freshness.${name}.p99`,
    value: toQuantile(sorted, 0.99),
    unit: 's',
    goal: { op: '<=', value: p99 } as const,
  },
  {
    name: `freshness.${name}.max`,
    value: toQuantile(sorted, 1),
    unit: 's',
    goal: { op: '<=', value: max } as const,
  },
]

const atMost = (value: number) => ({ op: '<=', value }) as const
const operations = await countOperations()
report([
  ...toFigures('purge', await measureBusy(purge), 5, 5),
  ...toFigures('commit', await measureBusy(() => {}), 12, 15),
  ...toFigures('idle', await measureIdle(), 75, 75),
  { name: 'freshness.minute.log-reads', value: operations.reads, unit: '', goal: atMost(31) },
  { name: 'freshness.minute.claims', value: operations.claims, unit: '', goal: atMost(13) },
  { name: 'freshness.minute.kv-operations', value: operations.kv, unit: '' },
])
process.exit(0)
