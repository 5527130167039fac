import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFixture, type Fixture, type Instance, startInstance } from './fixture.ts'
import { fillNewsroom } from './newsroom.ts'
import { createDatabaseProxy, type DatabaseProxy } from './proxy.ts'

const CONNECTIONS = 4
const CALLERS = 30
const DEADLINE_MS = 5000
const SLACK_MS = 1500

let fixture: Fixture
let proxy: DatabaseProxy
let api: Instance

beforeAll(async () => {
  fixture = await createFixture()
  await fillNewsroom(fixture)
  proxy = await createDatabaseProxy(fixture.url)
  api = startInstance(proxy.url, { max: CONNECTIONS })
})
afterAll(async () => {
  await api.close()
  await proxy.close()
  await fixture.close()
})

const PATHS = [
  'lists?kind=recent',
  'pages/a1',
  'settings',
  'authors/jane',
  'sitemap',
  'changes?after=0.1',
]

interface Sample {
  /** Start of the request, milliseconds. */
  at: number
  /** Duration of the request. */
  ms: number
  status: number
  retryAfter: string | null
}

/** Starts concurrent callers, each of which sends one request after another until `stop` is called. */
function createLoad() {
  const samples: Sample[] = []
  let running = true
  const call = async (start: number): Promise<void> => {
    for (let i = start; running; i++) {
      const at = performance.now()
      const response = await api.request(`/public/v2/sites/1/${PATHS[i % PATHS.length]}`)
      await response.arrayBuffer()
      const retryAfter = response.headers.get('retry-after')
      samples.push({ at, ms: performance.now() - at, status: response.status, retryAfter })
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const callers = Array.from({ length: CALLERS }, (_, i) => call(i))
  return {
    samples,
    stop: () => {
      running = false
      return Promise.all(callers)
    },
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test.each([
  ['is stopped', () => proxy.stop(), 1500],
  ['hangs', async () => proxy.stall(), DEADLINE_MS + SLACK_MS],
])(
  'when PostgreSQL %s under load, requests get a 503 within the deadline, and a 200 after the outage',
  async (_, stop, outageMs) => {
    const load = createLoad()
    await sleep(500)
    const stopped = performance.now()
    await stop()
    await sleep(outageMs)
    const restored = performance.now()
    await proxy.restore()
    const statusOfSettings = async () => (await api.request('/public/v2/sites/1/settings')).status
    await expect.poll(statusOfSettings, { timeout: 10_000, interval: 100 }).toBe(200)
    const recovered = performance.now()
    await sleep(500)
    await load.stop()

    // Responses that were sent before the outage may still arrive.
    const endedIn = (from: number, to: number) =>
      load.samples.filter(({ at, ms }) => at + ms > from && at + ms < to)
    const during = endedIn(stopped + 200, restored)
    const after = load.samples.filter(({ at }) => at > recovered)
    expect(endedIn(0, stopped).every(({ status }) => status === 200)).toBe(true)
    expect(new Set(during.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(
      new Set(['503 5']),
    )
    expect(Math.max(...load.samples.map(({ ms }) => ms))).toBeLessThan(DEADLINE_MS + SLACK_MS)
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([200]))
    expect(after.length).toBeGreaterThan(CALLERS)

    const { pool } = api.database
    expect(pool.waitingCount).toBe(0)
    expect(pool.totalCount).toBeLessThanOrEqual(CONNECTIONS)
    const countConnections = async () =>
      (
        await fixture.sql(
          `SELECT FROM pg_stat_activity WHERE application_name = 'cms-api' AND datname = current_database()`,
        )
      ).length
    await expect.poll(countConnections, { timeout: 5000 }).toBeLessThanOrEqual(CONNECTIONS)
  },
)

test('readiness depends on the database, liveness does not', async () => {
  expect((await api.request('/readyz')).status).toBe(200)
  await proxy.stop()
  expect((await api.request('/readyz')).status).toBe(503)
  expect((await api.request('/healthz', { key: null })).status).toBe(200)
  expect((await api.request('/public/v2/ping')).status).toBe(200)
  await proxy.restore()
  expect((await api.request('/readyz')).status).toBe(200)
})

test.each([
  ['is missing', 'rolled_back_at = now()'],
  ['is unfinished', 'finished_at = NULL'],
])('the API is not ready while the newest migration %s', async (_, change) => {
  const newest = 'migration_name = (SELECT max(migration_name) FROM _prisma_migrations)'
  await fixture.sql(`UPDATE _prisma_migrations SET ${change} WHERE ${newest}`)
  expect((await api.request('/readyz')).status).toBe(503)
  await fixture.sql(
    `UPDATE _prisma_migrations SET rolled_back_at = NULL, finished_at = now() WHERE ${newest}`,
  )
  expect((await api.request('/readyz')).status).toBe(200)
})
