import { type Config, parseEnv } from '../env.ts'
import type { Kv, Ports } from '../ports.ts'
import { createSite, type Site } from '../site.ts'
import { type Clock, createClock } from './clock.ts'
import { createDatabaseDouble, type DatabaseDouble } from './database.ts'
import { createEdgeDouble, type EdgeDouble } from './edge.ts'
import { createKvDouble, type KvDouble } from './kv.ts'
import { createReadApi, type ReadApi } from './read-api.ts'

export const HOST = 'news.test'
export const SECRET = 'a-secret-of-at-least-thirty-two-characters'

/** One isolate in one data centre. */
export interface Isolate {
  site: Site
  edge: EdgeDouble
  get(path: string, init?: RequestInit): Promise<Response>
  /** Runs the cron trigger. */
  runCron(): Promise<void>
  /** Sends a purge with the admin secret. */
  purge(body: unknown, headers?: Record<string, string>): Promise<Response>
  waitForBackgroundWork(): Promise<void>
  /** Empties the edge cache when the isolate no longer shares its last read of KV with later requests. */
  clearEdgeAfterOneSecond(): Promise<void>
}

export interface SimulatedNetwork {
  clock: Clock
  api: ReadApi
  kv: KvDouble
  database: DatabaseDouble
  logs: Record<string, unknown>[]
  /** Creates an isolate. Isolates of one data centre share the edge cache and see the same state of KV. */
  createIsolate(
    dataCentre?: string,
    options?: { clockSkewMs?: number; config?: Partial<Config>; ports?: Partial<Ports> },
  ): Isolate
}

/** Simulates Cloudflare and the read API in memory, on a simulated clock. */
export function createSimulatedNetwork(): SimulatedNetwork {
  const clock = createClock()
  const api = createReadApi()
  const kv = createKvDouble(clock)
  const database = createDatabaseDouble(clock)
  database.createTables(api.revision, api.restoreId)
  const logs: Record<string, unknown>[] = []
  const dataCentres = new Map<string, { edge: EdgeDouble; kv: Kv }>()

  const createIsolate: SimulatedNetwork['createIsolate'] = (
    dataCentre = 'here',
    { clockSkewMs = 0, config = {}, ports = {} } = {},
  ) => {
    const shared = dataCentres.get(dataCentre) ?? {
      edge: createEdgeDouble(clock.now),
      kv: kv.viewFrom(dataCentre),
    }
    dataCentres.set(dataCentre, shared)
    const site = createSite(
      { ...parseTestConfig(), ...config },
      {
        ...shared,
        database,
        fetch: (url, init) => api.fetch(url, init),
        now: () => clock.now() + clockSkewMs,
        random: () => 0.5,
        sleep: clock.sleep,
        allowsSearch: async () => true,
        logEvent: (level, fields) => logs.push({ level, ...fields }),
        ...ports,
      },
    )
    return toIsolate(site, shared.edge, clock)
  }
  return { clock, api, kv, database, logs, createIsolate }
}

function toIsolate(site: Site, edge: EdgeDouble, clock: Clock): Isolate {
  const background = new Set<Promise<unknown>>()
  const waitUntil = (work: Promise<unknown>) => {
    const tracked = work.catch(() => {}).finally(() => background.delete(tracked))
    background.add(tracked)
  }
  const send = (request: Request) => clock.runUntil(site.fetch(request, waitUntil))
  return {
    site,
    edge,
    get: (path, init) => send(new Request(`https://${HOST}${path}`, init)),
    runCron: () => clock.runUntil(site.scheduled(waitUntil)),
    purge: (body, headers = {}) => send(toPurgeRequest(body, headers)),
    async waitForBackgroundWork() {
      while (background.size > 0) await clock.runUntil(Promise.all(background))
    },
    async clearEdgeAfterOneSecond() {
      await clock.advance(1000)
      edge.clear()
    },
  }
}

export function toPurgeRequest(body: unknown, headers: Record<string, string> = {}): Request {
  return new Request(`https://${HOST}/__cms/purge`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** Variables and secrets of the worker, with the names that `infra/` declares. */
export const ENV = {
  CMS_API_BASE_URL: 'https://api.test/public/v2/',
  CMS_SITE_ID: 'harbour',
  SITE_HOST: HOST,
  PAGE_TYPE_TTLS: {},
  CMS_API_KEY: SECRET,
  ADMIN_PURGE_SECRET: SECRET,
  WORKER_NAME: 'cms-edge-worker-test',
  WORKER_VERSION: '0123456789ab',
  LOG_SAMPLE: '1',
}

/** Returns the configuration that the worker reads from `ENV`. */
export function parseTestConfig(): Config {
  const bindings = { KV: { getWithMetadata: () => {} }, SEARCH_RATE_LIMIT: { limit: () => {} } }
  return parseEnv({ ...ENV, ...bindings }).config
}
