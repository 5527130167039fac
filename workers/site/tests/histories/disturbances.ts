import { type History, PAGES } from './history.ts'
import { type HistoryIsolate, MINUTE, SECOND } from './history-network.ts'

type Disturbance = (history: History) => void

/** Faults of the platform and of the API, alone or together with the events that they affect most. */
const DISTURBANCES: readonly Disturbance[] = [
  (history) => stallDatabase(history, history.random.between(2, 60) * SECOND),
  // Short stalls are more frequent.
  (history) => stallDatabase(history, history.random.between(2, 10) * SECOND),
  (history) => stopDatabase(history, history.random.between(1, 90) * SECOND),
  loseResponsesOfDatabase,
  (history) => history.spawn(restoreDatabase(history)),
  failApi,
  slowDownApi,
  ({ network, random }) => network.replace(random.pick(network.isolates)),
  ({ network, random }) => random.pick(network.isolates).sleepFor(random.between(1, 600) * SECOND),
  (history) => history.clearEdge(history.random.between(0, 3)),
  failWritesToKv,
  ({ network, random }) => network.isolates.push(network.createIsolate(random.between(0, 3))),
  purgeDuringSlowRenderings,
  sleepDuringRead,
]

/** Starts one random disturbance. */
export function disturb(history: History): void {
  history.random.pick(DISTURBANCES)(history)
}

function stallDatabase(history: History, milliseconds: number): void {
  const stalledUntil = history.network.clock.now() + milliseconds
  history.stalledUntil = Math.max(history.stalledUntil, stalledUntil)
  history.markD1Unreliable(milliseconds)
}

function stopDatabase(history: History, milliseconds: number): void {
  const { faults } = history.network.database
  faults.failing = true
  history.markD1Unreliable(milliseconds)
  history.after(milliseconds, () => {
    faults.failing = false
  })
}

function loseResponsesOfDatabase(history: History): void {
  const { faults } = history.network.database
  faults.losesResponses = true
  history.markD1Unreliable(10 * SECOND)
  history.after(history.random.between(1, 10) * SECOND, () => {
    faults.losesResponses = false
  })
}

// As in the runbook, a purge of the site follows the restore.
async function restoreDatabase(history: History): Promise<void> {
  const { network, random } = history
  const { clock, database } = network
  if (history.isRestoring || database.faults.failing) return
  history.isRestoring = true
  if (random.chance(0.5)) database.recreate()
  else {
    const restore = database.snapshot()
    await clock.sleep(random.between(1, 120) * SECOND)
    restore()
  }
  history.discardPurges()
  while (!(await history.purge(network.createIsolate(0), undefined))) await clock.sleep(5 * SECOND)
  history.markD1Unreliable(0)
  history.isRestoring = false
}

function failApi(history: History): void {
  const { api } = history.network
  api.mode = 'status-500'
  history.after(history.random.between(1, 60) * SECOND, () => {
    api.mode = 'ok'
  })
}

function slowDownApi(history: History): void {
  const { network, random } = history
  network.apiDelay = () => random.between(1, 90) * SECOND
  history.after(random.between(1, 30) * SECOND, () => history.useUsualApiDelay())
}

function failWritesToKv(history: History): void {
  const { network, random } = history
  network.kv.faults.failing = (operation) => operation !== 'get' && random.chance(0.5)
  history.after(random.between(1, 60) * SECOND, () => {
    network.kv.faults.failing = false
  })
}

// Many visitors wait for the same slow rendering while the page is purged.
function purgeDuringSlowRenderings(history: History): void {
  const { network, random } = history
  const isolate = random.pick(network.isolates)
  const path = random.pick(PAGES)
  history.clearEdge(isolate.dataCentre)
  network.apiDelay = () => random.between(3, 15) * SECOND
  history.after(20 * SECOND, () => history.useUsualApiDelay())
  for (let visitor = 0; visitor < 10; visitor++)
    history.after(random.between(0, 20) * SECOND, () => history.spawn(history.visit(isolate, path)))
  history.after(random.between(1, 10) * SECOND, () => {
    history.publish()
    history.spawn(history.purge(random.chance(0.5) ? isolate : random.pick(network.isolates), path))
  })
}

// An isolate sleeps while it reads the log. When it wakes and receives the rows, other isolates have
// read newer ones, and D1 is down.
function sleepDuringRead(history: History): void {
  const { network, random } = history
  const isolate = random.pick(network.isolates)
  const path = random.pick(PAGES)
  history.spawn(history.visit(isolate, random.pick(PAGES)))
  history.after(random.between(10, 100), () => isolate.sleepFor(random.between(10, 60) * SECOND))
  history.after(random.between(1, 5) * SECOND, () => {
    history.publish()
    history.spawn(history.purge(random.pick(network.isolates), path))
  })
  history.after(random.between(5, 20) * SECOND, () =>
    stopDatabase(history, random.between(1, 2) * MINUTE),
  )
  history.after(random.between(20, 70) * SECOND, () => replaceNeighbours(history, isolate))
}

function replaceNeighbours({ network }: History, { dataCentre }: HistoryIsolate): void {
  const neighbours = network.isolates.filter((each) => each.dataCentre === dataCentre)
  for (const neighbour of neighbours) network.replace(neighbour)
}
