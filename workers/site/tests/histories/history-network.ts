import type { Kv, Ports } from '../../ports.ts'
import { createSite } from '../../site.ts'
import { type Clock, createClock } from '../clock.ts'
import { createDatabaseDouble, type DatabaseDouble } from '../database.ts'
import { createEdgeDouble, type EdgeDouble } from '../edge.ts'
import { createKvDouble, type KvDouble } from '../kv.ts'
import { createReadApi, type ReadApi } from '../read-api.ts'
import { parseTestConfig, SECRET, HOST as TEST_HOST } from '../simulated-network.ts'
import type { RandomSource } from './random-source.ts'

export const HOST = TEST_HOST
/** Another site that shares KV and the edge caches. */
export const OTHER_HOST = 'other.test'
export const SECOND = 1000
export const MINUTE = 60 * SECOND

/** An isolate that can be stopped, or sleep for a while. */
export interface HistoryIsolate {
  /** Index of its data centre. */
  dataCentre: number
  fetch(request: Request): Promise<Response>
  runCron(): Promise<void>
  isAsleep(): boolean
  sleepFor(milliseconds: number): void
  stop(): void
}

interface DataCentre {
  edge: EdgeDouble
  kv: Kv
}

/** Simulates three data centres with several isolates, KV, D1 and the read API, on a simulated clock. */
export interface HistoryNetwork {
  clock: Clock
  api: ReadApi
  /** Milliseconds from the API's database query until the worker receives the response. */
  apiDelay: () => number
  /** The read API of the other host. */
  otherApi: ReadApi
  kv: KvDouble
  database: DatabaseDouble
  dataCentres: readonly DataCentre[]
  isolates: HistoryIsolate[]
  /** Isolates of the other host. */
  otherIsolates: readonly HistoryIsolate[]
  createIsolate(dataCentre: number): HistoryIsolate
  /** Stops an isolate and creates another one in its data centre. */
  replace(isolate: HistoryIsolate): void
  /** Closes the databases; the network cannot be used afterwards. */
  close(): void
}

export function createHistoryNetwork(random: RandomSource): HistoryNetwork {
  const clock = createClock()
  const kv = createKvDouble(clock)
  const dataCentres = [0, 1, 2].map((index) => ({
    edge: createEdgeDouble(clock.now),
    kv: kv.viewFrom(`data-centre-${index}`),
  }))
  const otherDatabase = createDatabaseDouble(clock)
  const network: HistoryNetwork = {
    clock,
    api: createReadApi(),
    apiDelay: () => 0,
    otherApi: createReadApi(),
    kv,
    database: createDatabaseDouble(clock),
    dataCentres,
    isolates: [],
    otherIsolates: [],
    createIsolate: (dataCentre) => createIsolate(dataCentre, HOST),
    replace(isolate) {
      isolate.stop()
      network.isolates.splice(
        network.isolates.indexOf(isolate),
        1,
        network.createIsolate(isolate.dataCentre),
      )
    },
    close() {
      network.database.close()
      otherDatabase.close()
    },
  }
  network.isolates = Array.from({ length: 6 }, () => network.createIsolate(random.between(0, 3)))
  network.otherIsolates = dataCentres.map((_, index) => createIsolate(index, OTHER_HOST))
  return network

  function createIsolate(index: number, host: string): HistoryIsolate {
    const dataCentre = dataCentres[index]
    if (!dataCentre) throw new Error(`There is no data centre ${index}`)
    const clockSkewMs = random.chance(0.8)
      ? random.between(-10, 10) * SECOND
      : random.between(-5, 5) * 60 * MINUTE
    let isStopped = false
    let awakeAt = 0
    // A sleeping isolate receives the results of its I/O when it wakes, a stopped one never.
    const whenAwake = async <T>(work: Promise<T>): Promise<T> => {
      const [outcome] = await Promise.allSettled([work])
      if (isStopped) await new Promise(() => {})
      while (awakeAt > clock.now()) await clock.sleep(awakeAt - clock.now())
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    }
    const api = host === HOST ? network.api : network.otherApi
    const database = host === HOST ? network.database : otherDatabase
    const fetchSlowly: Ports['fetch'] = async (url, init) => {
      const response = await api.fetch(url, init)
      await clock.sleep(network.apiDelay())
      return response
    }
    const { edge } = dataCentre
    const ports: Ports = {
      kv: {
        get: (key) => whenAwake(dataCentre.kv.get(key)),
        getWithMetadata: (key) => whenAwake(dataCentre.kv.getWithMetadata(key)),
        put: (key, value, options) => whenAwake(dataCentre.kv.put(key, value, options)),
        delete: (key) => whenAwake(dataCentre.kv.delete(key)),
        list: (options) => whenAwake(dataCentre.kv.list(options)),
      },
      edge: {
        match: (url) => whenAwake(edge.match(url)),
        put: (url, response) => whenAwake(edge.put(url, response)),
        delete: (url) => whenAwake(edge.delete(url)),
      },
      database: { transact: (statements) => whenAwake(database.transact(statements)) },
      fetch: (url, init) => whenAwake(fetchSlowly(url, init)),
      now: () => clock.now() + clockSkewMs,
      random: random.next,
      sleep: (milliseconds) => whenAwake(clock.sleep(milliseconds)),
      allowsSearch: async () => true,
      logEvent: () => {},
    }
    const site = createSite({ ...parseTestConfig(), host, adminSecret: SECRET }, ports)
    // Background work may fail because of the simulated faults.
    const waitUntil = (work: Promise<unknown>) => void work.catch(() => {})
    return {
      dataCentre: index,
      fetch: (request) => site.fetch(request, waitUntil),
      runCron: () => site.scheduled(waitUntil),
      isAsleep: () => awakeAt > clock.now(),
      sleepFor(milliseconds) {
        awakeAt = clock.now() + milliseconds
      },
      stop() {
        isStopped = true
      },
    }
  }
}
