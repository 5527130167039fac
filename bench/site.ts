import { gzipSync } from 'node:zlib'
import type { WorkerOptions } from 'miniflare'
import { articlePath } from '../contract/article.ts'
import { COMPATIBILITY_DATE } from '../contract/constants.ts'
import { parseEnv } from '../workers/site/env.ts'
import type { Ports } from '../workers/site/ports.ts'
import { createSite } from '../workers/site/site.ts'
import { createDatabaseDouble } from '../workers/site/tests/database.ts'
import { createEdgeDouble } from '../workers/site/tests/edge.ts'
import { createKvDouble } from '../workers/site/tests/kv.ts'
import { ENV, HOST } from '../workers/site/tests/simulated-network.ts'
import { bundle, startWorkerd } from '../workers/site/tests/workerd.ts'
import { API_KEY, type Backend, SITE, startBackend } from './lib/backend.ts'
import { discardLogs } from './lib/discard-logs.ts'
import { compareLoad, type LoadTarget, median, toRatio } from './lib/load.ts'
import { type Figure, report } from './lib/report.ts'

const LOAD = { rounds: 300, seconds: 0.03, connections: 10 }
/** Calls in a measurement of CPU time. */
const CALLS = 3000
const ROUNDS = 8
const PAGE = '/'
/** Entry point of the site worker, relative to workers/site/tests/. */
const ENTRY_POINT = '../index.ts'
/** Hosts that are served over plain http; others redirect to https. */
const SITE_HOST = 'site.localhost'
const LOGGED_HOST = 'logged.localhost'
const MATCH_HOST = 'match.localhost'

discardLogs()
const backend = await startBackend(1500)
const bindings = {
  ...ENV,
  CMS_API_BASE_URL: backend.baseUrl,
  CMS_API_KEY: API_KEY,
  LOG_SAMPLE: '100',
}
try {
  report([
    ...(await compareHits()),
    ...(await measureHit()),
    ...(await timeMisses(backend)),
    await measureBundle(),
  ])
} finally {
  await backend.stop()
}

/**
 * Compares hits with a worker that only calls `caches.default.match` and sends the same headers: once with the
 * declared `LOG_SAMPLE`, and once with a log line for each hit.
 */
async function compareHits(): Promise<Figure[]> {
  const running = await startWorkerd({ bindings: { ...bindings, SITE_HOST } }, [
    createMatchWorker(),
    await createLoggingWorker(),
  ])
  try {
    const { origin } = await running.miniflare.ready
    const fetchHome = (host: string) => running.miniflare.dispatchFetch(`https://${host}${PAGE}`)
    await (await fetchHome(SITE_HOST)).text()
    const response = await fetchHome(SITE_HOST)
    const stored = JSON.stringify({ body: await response.text(), headers: [...response.headers] })
    await running.miniflare.dispatchFetch(`https://${MATCH_HOST}/`, {
      method: 'POST',
      body: stored,
    })
    const toTarget = async (host: string): Promise<LoadTarget> => {
      const body = await (await fetchHome(host)).text()
      return { url: `${origin}${PAGE}`, headers: { host }, expects: { status: 200, body } }
    }
    const targets = {
      site: await toTarget(SITE_HOST),
      logged: await toTarget(LOGGED_HOST),
      match: await toTarget(MATCH_HOST),
    }
    const turns = await compareLoad(targets, LOAD)
    const p99 = (name: keyof typeof targets) => median(turns[name].map((turn) => turn.p99Ms))
    const goal = { op: '>=', value: 0.9 } as const
    return [
      { name: 'site.hit', value: toRatio(turns.site, turns.match), unit: 'x', goal },
      { name: 'site.hit.logged', value: toRatio(turns.logged, turns.match), unit: 'x', goal },
      // The local cloud logs each hit for its panel.
      {
        name: 'site.hit.panel',
        value: toRatio(turns.logged, turns.site),
        unit: 'x',
        goal: { op: '>=', value: 0.98 },
      },
      { name: 'site.hit.rate', value: median(turns.site.map(({ rate }) => rate)), unit: '/s' },
      { name: 'site.hit.p99', value: p99('site'), unit: 'ms' },
      { name: 'site.hit.match.p99', value: p99('match'), unit: 'ms' },
    ]
  } finally {
    await running.stop()
  }
}

async function createLoggingWorker(): Promise<WorkerOptions> {
  return {
    name: 'logged',
    modules: true,
    script: await bundle(ENTRY_POINT),
    compatibilityDate: COMPATIBILITY_DATE,
    routes: [`${LOGGED_HOST}/*`],
    bindings: { ...bindings, SITE_HOST: LOGGED_HOST, LOG_SAMPLE: '1' },
    kvNamespaces: ['KV'],
    d1Databases: ['INVALIDATIONS'],
    ratelimits: { SEARCH_RATE_LIMIT: { namespace_id: '2', simple: { limit: 20, period: 10 } } },
  }
}

function createMatchWorker(): WorkerOptions {
  const script = `export default { async fetch(request) {
    if (request.method === 'GET') return caches.default.match('https://${MATCH_HOST}/')
    const { body, headers } = await request.json()
    const stored = new Response(body, { headers })
    stored.headers.set('cache-control', 'public, max-age=3600')
    await caches.default.put('https://${MATCH_HOST}/', stored)
    return new Response('stored')
  } }`
  return { name: 'match', modules: true, script, routes: [`${MATCH_HOST}/*`] }
}

/** Measures the platform operations of a hit, and the worker's CPU time beyond that of the simulated cache. */
async function measureHit(): Promise<Figure[]> {
  const { ports, edge, kv } = createPorts()
  const { get, waitForBackgroundWork } = createVisitor(ports)
  // The first read of the change log makes all pages of the host outdated.
  for (let visit = 0; visit < 3; visit++) {
    await get('/')
    await waitForBackgroundWork()
  }
  const before = { edge: edge.operations, kv: kv.operations }
  const hit = await get('/')
  const status = hit.headers.get('cache-status') ?? ''
  if (!status.includes('detail=edge')) throw new Error(`A cached page is not a hit: ${status}`)
  const operations = { edge: edge.operations - before.edge, kv: kv.operations - before.kv }
  const ownCpu: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const cacheOnly = await measureCpu(() => edge.match(`https://${HOST}/`))
    const site = await measureCpu(() => get('/'))
    // The first round warms up and does not count.
    if (round > 0) ownCpu.push(site - cacheOnly)
  }
  return [
    {
      name: 'site.hit.edge-matches',
      value: operations.edge,
      unit: '',
      goal: { op: '<=', value: 1 },
    },
    {
      name: 'site.hit.kv-operations',
      value: operations.kv,
      unit: '',
      goal: { op: '<=', value: 0 },
    },
    { name: 'site.hit.own-cpu', value: median(ownCpu), unit: 'µs' },
  ]
}

/** Returns the microseconds of CPU time for each call. */
async function measureCpu(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let index = 0; index < CALLS; index++) await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS
}

/** Compares an uncached page with its request to the read API; each request is for another article. */
async function timeMisses({ baseUrl, slugs }: Backend): Promise<Figure[]> {
  const { get } = createVisitor(createPorts().ports)
  const headers = { authorization: `Bearer ${API_KEY}` }
  const requestApi = async (slug: string) => {
    const url = `${baseUrl}${articlePath(SITE, slug)}?language=en`
    const response = await fetch(url, { headers })
    if (response.status !== 200) throw new Error(`The read API responded with ${response.status}`)
    await response.text()
  }
  const requestPage = async (slug: string) => {
    const response = await get(`/${encodeURIComponent(slug)}`)
    if (response.status !== 200) throw new Error(`The site responded with ${response.status}`)
    await response.text()
  }
  const times = { api: [] as number[], page: [] as number[] }
  for (const [index, slug] of slugs.slice(0, 400).entries()) {
    const kind = index % 2 === 0 ? 'api' : 'page'
    const started = performance.now()
    await (kind === 'api' ? requestApi : requestPage)(slug)
    // The first requests warm up and are not counted.
    if (index >= 100) times[kind].push(performance.now() - started)
  }
  return [
    {
      name: 'site.miss',
      value: median(times.page) / median(times.api),
      unit: 'x',
      goal: { op: '<=', value: 1.5 },
    },
    { name: 'site.miss.time', value: median(times.page), unit: 'ms' },
    { name: 'site.miss.api', value: median(times.api), unit: 'ms' },
  ]
}

/** Creates ports whose services are in memory and use the real clock. */
function createPorts() {
  const sleep = (milliseconds: number) =>
    new Promise<void>((done) => setTimeout(done, milliseconds).unref())
  const edge = createEdgeDouble(Date.now)
  const kv = createKvDouble({ now: Date.now, sleep })
  const ports: Ports = {
    kv: kv.viewFrom('here'),
    edge,
    database: createDatabaseDouble({ now: Date.now, sleep }),
    fetch,
    now: Date.now,
    random: Math.random,
    sleep,
    allowsSearch: async () => true,
    logEvent: () => {},
  }
  return { ports, edge, kv }
}

function createVisitor(ports: Ports) {
  // `parseEnv` requires these bindings; the site uses the ports instead.
  const unused = { KV: { getWithMetadata() {} }, SEARCH_RATE_LIMIT: { limit() {} } }
  const site = createSite(parseEnv({ ...bindings, ...unused }).config, ports)
  let pending: Promise<unknown>[] = []
  return {
    get: (path: string) =>
      site.fetch(new Request(`https://${HOST}${path}`), (work) => pending.push(work)),
    async waitForBackgroundWork() {
      await Promise.all(pending)
      pending = []
    },
  }
}

async function measureBundle(): Promise<Figure> {
  const bytes = gzipSync(await bundle(ENTRY_POINT), { level: 9 }).length
  return { name: 'site.bundle', value: bytes / 1024, unit: 'KiB', goal: { op: '<=', value: 60 } }
}
