import { ENV, HOST, SECRET } from '../workers/site/tests/simulated-network.ts'
import { bundle, startWorkerd } from '../workers/site/tests/workerd.ts'
import { API_KEY, startBackend } from './lib/backend.ts'
import { type Figure, report } from './lib/report.ts'

const PHASE_SECONDS = 8
const VISITORS = 16
const CACHED_PAGES = 40
/** In seconds; short, so that every page becomes stale in the first seconds of each fault. */
const TTLS = { home: 1, article: 2, category: 2, not_found: 1 }
const GOAL_NONE = { op: '<=', value: 0 } as const

/** Numbers of responses. */
interface Counts {
  /** Fresh responses, and uncached pages that were rendered. */
  served: number
  stale: number
  /** Cached pages with another status than 200. */
  failed: number
  /** Uncached pages with the expected error: 503, Retry-After, not cacheable. */
  unavailable: number
  /** Uncached pages with another error. */
  invalid: number
}
/** Paths of pages. */
interface Pages {
  cached: string[]
  /** Cached pages that are purged, and not visited otherwise. */
  toPurge: string[]
  uncached: Iterator<string>
}

const backend = await startBackend(1500)
const running = await startWorkerd({
  // The site worker, with KV and D1 that `/__testing/faults` makes fail (workers/site/tests/faulty.ts).
  script: await bundle('./faulty.ts'),
  bindings: {
    ...ENV,
    CMS_API_BASE_URL: backend.baseUrl,
    CMS_API_KEY: API_KEY,
    PAGE_TYPE_TTLS: TTLS,
  },
})
try {
  report(await runFaults(await warmUp()))
} finally {
  await running.stop()
  await backend.stop()
}

/**
 * Requests pages under load while the services fail one after the other. A phase lasts seconds instead of an
 * hour, because workerd has real time only. The TTLs are seconds too, so all pages become stale many times.
 */
async function runFaults(pages: Pages): Promise<Figure[]> {
  const { api, database } = backend
  // One page is purged before the faults, the other while D1 fails.
  const [purgedBefore = '', purgedDuring = ''] = pages.toPurge
  await purge(purgedBefore)
  const figures = await runPhase('well', pages)
  await api.stop()
  figures.push(...(await runPhase('api-dead', pages)))
  let purgedPagesServed = await countServed(purgedBefore)
  await database.stop()
  await api.start()
  figures.push(...(await runPhase('database-dead', pages)))
  await database.start()
  await breakBindings('d1')
  figures.push(...(await runPhase('d1-failing', pages)))
  const response = await purge(purgedDuring)
  const isRejected = response.status === 503 && response.headers.has('retry-after')
  await api.stop()
  purgedPagesServed += await countServed(purgedDuring)
  await breakBindings('')
  figures.push(...(await runPhase('d1-back-and-api-dead', pages)))
  purgedPagesServed += (await countServed(purgedBefore)) + (await countServed(purgedDuring))
  await api.start()
  await breakBindings('kv')
  figures.push(...(await runPhase('kv-failing', pages)))
  await api.stop()
  figures.push(...(await runPhase('kv-failing-and-api-dead', pages)))
  return [
    ...figures,
    {
      name: 'faults.d1-failing.purges-not-rejected',
      value: isRejected ? 0 : 1,
      unit: '',
      goal: GOAL_NONE,
    },
    { name: 'faults.purged-pages-served', value: purgedPagesServed, unit: '', goal: GOAL_NONE },
  ]
}

async function warmUp(): Promise<Pages> {
  const paths = backend.slugs.map((slug) => `/${encodeURIComponent(slug)}`)
  const cached = ['/', ...paths.slice(0, CACHED_PAGES)]
  const toPurge = paths.slice(CACHED_PAGES, CACHED_PAGES + 2)
  for (const path of [...cached, ...toPurge]) {
    const { status } = await running.get(path)
    if (status !== 200) throw new Error(`${path} has status ${status} before any fault`)
  }
  return { cached, toPurge, uncached: paths.slice(CACHED_PAGES + 2).values() }
}

function purge(path: string): Promise<Response> {
  return running.get('/__cms/purge', {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify({ host: HOST, url: path }),
  })
}

/** Requests a purged page while the read API is stopped. Returns 1 if a cache serves the page, else 0. */
async function countServed(path: string): Promise<number> {
  return (await running.get(path)).status === 200 ? 1 : 0
}

/** Makes the bindings of a service fail: `d1` or `kv`. With an empty text, none fails. */
async function breakBindings(failing: string): Promise<void> {
  await running.get(`/__testing/faults?failing=${failing}`)
}

async function runPhase(phase: string, { cached, uncached }: Pages): Promise<Figure[]> {
  const counts: Counts = { served: 0, stale: 0, failed: 0, unavailable: 0, invalid: 0 }
  const times: number[] = []
  const end = Date.now() + PHASE_SECONDS * 1000
  const visit = async () => {
    for (let turn = 0; Date.now() < end; turn++) {
      const uncachedPath = turn % 20 === 0 ? uncached.next().value : undefined
      const path = uncachedPath ?? cached[Math.floor(Math.random() * cached.length)] ?? '/'
      const started = performance.now()
      const response = await running.get(path)
      if (uncachedPath === undefined) times.push(performance.now() - started)
      counts[uncachedPath === undefined ? classifyCached(response) : classifyUncached(response)]++
    }
  }
  await Promise.all(Array.from({ length: VISITORS }, visit))
  times.sort((one, other) => one - other)
  const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN
  return [
    { name: `faults.${phase}.served`, value: counts.served, unit: '' },
    { name: `faults.${phase}.stale`, value: counts.stale, unit: '' },
    { name: `faults.${phase}.failed`, value: counts.failed, unit: '', goal: GOAL_NONE },
    { name: `faults.${phase}.uncached-unavailable`, value: counts.unavailable, unit: '' },
    { name: `faults.${phase}.uncached-invalid`, value: counts.invalid, unit: '', goal: GOAL_NONE },
    { name: `faults.${phase}.p99`, value: p99, unit: 'ms' },
  ]
}

function classifyCached({ status, headers }: Response): keyof Counts {
  if (status !== 200) return 'failed'
  // `fwd=stale`: outdated, and its revalidation failed or was slow. Negative `ttl`: stale, revalidated afterwards.
  return /fwd=stale|ttl=-/.test(headers.get('cache-status') ?? '') ? 'stale' : 'served'
}

/** An uncached page must be rendered, or fail with the expected error. */
function classifyUncached({ status, headers }: Response): keyof Counts {
  if (status === 200) return 'served'
  const isValid = headers.has('retry-after') && headers.get('cache-control') === 'no-store'
  return status === 503 && isValid ? 'unavailable' : 'invalid'
}
