import { type Config, parseEnv } from '../env.ts'
import type { Ports } from '../ports.ts'
import { createSite, type Site } from '../site.ts'
import { type Clock, createClock } from './clock.ts'
import { createEdgeDouble, type EdgeDouble } from './edge.ts'
import { createKvDouble, type KvDouble } from './kv.ts'
import { createReadApi, type ReadApi } from './read-api.ts'

export const HOST = 'news.test'
export const SECRET = 'a-secret-of-at-least-thirty-two-characters'

/** One isolate in one data centre. */
export type Isolate = {
  site: Site
  edge: EdgeDouble
  get(path: string, init?: RequestInit): Promise<Response>
  /** The cron trigger. */
  tick(): Promise<void>
  purge(body: unknown, headers?: Record<string, string>): Promise<Response>
  /** All that was left to do after the answers. */
  rest(): Promise<void>
  /** The edge cache loses everything, and what is under way is over. */
  lose(): Promise<void>
}

export type World = {
  clock: Clock
  api: ReadApi
  kv: KvDouble
  logs: Record<string, unknown>[]
  /** A new isolate; isolates of one place share its edge cache and its view of KV. */
  open(
    place?: string,
    options?: { skew?: number; config?: Partial<Config>; ports?: Partial<Ports> },
  ): Isolate
}

/** The whole world of the worker, on a clock that stands still. */
export function createWorld(): World {
  const clock = createClock()
  const api = createReadApi()
  const kv = createKvDouble(clock)
  const logs: Record<string, unknown>[] = []
  const places = new Map<string, { edge: EdgeDouble; kv: ReturnType<KvDouble['in']> }>()

  const open: World['open'] = (place = 'here', { skew = 0, config = {}, ports = {} } = {}) => {
    const local = places.get(place) ?? { edge: createEdgeDouble(clock.now), kv: kv.in(place) }
    places.set(place, local)
    const site = createSite(
      { ...toConfig(), ...config },
      {
        ...local,
        fetch: (url, init) => api.fetch(url, init),
        now: () => clock.now() + skew,
        random: () => 0.5,
        sleep: clock.sleep,
        allowsSearch: async () => true,
        log: (level, fields) => logs.push({ level, ...fields }),
        ...ports,
      },
    )
    return toIsolate(site, local.edge, clock)
  }
  return { clock, api, kv, logs, open }
}

function toIsolate(site: Site, edge: EdgeDouble, clock: Clock): Isolate {
  const left = new Set<Promise<unknown>>()
  const leave = (work: Promise<unknown>) => {
    const noted = work.catch(() => {}).finally(() => left.delete(noted))
    left.add(noted)
  }
  const ask = (request: Request) => clock.until(site.fetch(request, leave))
  return {
    site,
    edge,
    get: (path, init) => ask(new Request(`https://${HOST}${path}`, init)),
    tick: () => clock.until(site.scheduled(leave)),
    purge: (body, headers = {}) =>
      ask(
        new Request(`https://${HOST}/__cms/purge`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${SECRET}`,
            'content-type': 'application/json',
            ...headers,
          },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
    async rest() {
      while (left.size > 0) await clock.until(Promise.all(left))
    },
    async lose() {
      await clock.advance(1000)
      edge.clear()
    },
  }
}

/** Bindings as infra declares them. */
export const ENV = {
  CMS_API_BASE_URL: 'https://api.test/public/v2/',
  CMS_SITE_ID: 'harbour',
  SITE_HOST: HOST,
  PAGE_TYPE_TTLS: {},
  CMS_API_KEY: SECRET,
  ADMIN_PURGE_SECRET: SECRET,
  WORKER_NAME: 'cms-edge-worker-test',
  WORKER_VERSION: '0123456789ab',
}

function toConfig(): Config {
  const bindings = { KV: { getWithMetadata: () => {} }, SEARCH_RATE_LIMIT: { limit: () => {} } }
  return parseEnv({ ...ENV, ...bindings }).config
}
