import { disturb } from './disturbances.ts'
import { History, type HistoryResult, PAGES } from './history.ts'
import { type HistoryIsolate, MINUTE, SECOND } from './history-network.ts'

/**
 * Simulates a random history of a host: editors publish and purge, and visitors read pages in three data
 * centres. At the same time KV delays, caches or loses writes, D1 is slow, fails, or is restored,
 * isolates stop or sleep, clocks differ by hours, and the API is slow or fails. Every served page is
 * checked against the guarantees.
 */
export async function runHistory(seed: number): Promise<HistoryResult> {
  const history = new History(seed)
  const { clock, isolates } = history.network
  const { between, chance, pick } = history.random
  const minutes = chance(0.1) ? between(20, 30) : between(2, 6)
  const end = clock.now() + minutes * MINUTE
  const maxPause = minutes > 10 ? 8 * SECOND : 3 * SECOND
  let nextCron = clock.now() + between(1, MINUTE)
  while (clock.now() < end) {
    await clock.advance(between(50, maxPause))
    if (clock.now() >= nextCron) {
      nextCron += MINUTE
      history.spawn(pick(isolates).runCron())
    }
    startEvent(history)
  }
  await checkConvergence(history)
  if (chance(0.1)) await checkCachedPages(history)
  history.network.close()
  return history.result
}

/** Starts one random event. */
function startEvent(history: History): void {
  const { isolates } = history.network
  const { next, chance, pick } = history.random
  const roll = next()
  if (roll < 0.72) history.spawn(history.visit(pick(isolates), pick(PAGES)))
  else if (roll < 0.74) history.spawn(history.visitOtherHost())
  else if (roll < 0.8) history.publish()
  else if (roll < 0.88) {
    if (chance(0.7)) history.publish()
    history.spawn(history.purge(pick(isolates), chance(0.75) ? pick(PAGES) : undefined))
  } else disturb(history)
}

/** Checks that each page becomes current in every data centre, and stays so after the log has been pruned. */
async function checkConvergence(history: History): Promise<void> {
  const { network, random } = history
  const { isolates } = network
  await endFaults(history)
  for (const dataCentre of [0, 1, 2]) isolates.push(network.createIsolate(dataCentre))
  await runCrons(history, 2)
  // Outdated pages are revalidated by the first visitors in each data centre.
  await visitAll(history, isolates.slice(-3))
  await visitAll(history, isolates, 'current')
  if (random.chance(0.9)) return
  await runCrons(history, 17)
  await visitAll(history, isolates, 'current')
}

/** Checks that pages from before a failure of D1 are served after it, even while the API fails. */
async function checkCachedPages(history: History): Promise<void> {
  const { network } = history
  const { clock, database, api, dataCentres } = network
  const isolates = network.isolates.slice(-3)
  const clearEdges = () => {
    for (const index of dataCentres.keys()) history.clearEdge(index)
  }
  // After this time, all delayed writes to KV have taken effect.
  await clock.advance(9 * MINUTE)
  clearEdges()
  await visitAll(history, isolates)
  await clock.advance(2 * MINUTE)
  database.faults.failing = true
  history.markD1Unreliable(9 * MINUTE)
  clearEdges()
  history.publish()
  const isolatesWithoutLog = dataCentres.map((_, index) => network.createIsolate(index))
  for (let round = 0; round < 6; round++) {
    await visitAll(history, isolatesWithoutLog)
    await clock.advance(MINUTE)
  }
  database.faults.failing = false
  api.mode = 'status-500'
  clearEdges()
  await clock.advance(2 * MINUTE)
  await visitAll(history, isolates, 'cached')
}

async function endFaults(history: History): Promise<void> {
  const { network, random } = history
  const { clock, api, kv, database } = network
  // Within this time, all disturbances have begun, and the API has its usual speed again.
  await clock.advance(30 * SECOND)
  api.mode = 'ok'
  network.apiDelay = () => random.between(5, 200)
  while (database.faults.failing || history.isRestoring || history.stalledUntil > clock.now())
    await clock.advance(SECOND)
  kv.faults.failing = false
  kv.faults.writeDelay = () => 0
}

async function runCrons(history: History, count: number): Promise<void> {
  const { network, random } = history
  for (let cron = 0; cron < count; cron++) {
    history.spawn(random.pick(network.isolates.slice(-3)).runCron())
    await network.clock.advance(MINUTE)
  }
}

async function visitAll(
  history: History,
  isolates: readonly HistoryIsolate[],
  mustBe?: 'current' | 'cached',
): Promise<void> {
  for (const path of PAGES)
    for (const isolate of isolates) history.spawn(history.visit(isolate, path, mustBe))
  await history.network.clock.advance(20 * SECOND)
}
