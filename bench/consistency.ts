import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ArticlePage } from '../contract/article.ts'
import { ListResponse } from '../contract/list.ts'
import { SettingsBundle } from '../contract/settings.ts'
import { HEADERS } from './lib/api-requests.ts'
import { startDatabase } from './lib/database.ts'
import { report } from './lib/report.ts'
import { startServer } from './peers/api-process.ts'

const READS = 12_000
const CONCURRENT_READS = 12
/** Milliseconds from an article's insertion to its publication. */
const PUBLISH_DELAY_MS = 250
const BASE = '/public/v2/sites/harbour'

/** A counter in the database, the statement that writes it, and the request that reads it from the API. */
interface Counter {
  path: string
  write: string
  parse(body: unknown): number
  committed: number
}

const parseCount = (text: string | null | undefined): number =>
  Number(/^v(\d+)$/.exec(text ?? '')?.[1] ?? 0)
const COUNTERS: Counter[] = [
  {
    path: `${BASE}/pages/counter`,
    write: `UPDATE articles SET title = $1 WHERE slug = 'counter'`,
    parse: (body) => parseCount(ArticlePage.parse(body).title),
    committed: 0,
  },
  {
    path: `${BASE}/lists?kind=featured&limit=5`,
    write: `UPDATE articles SET description = $1 WHERE slug = 'counter'`,
    parse: (body) => {
      const { items } = ListResponse.parse(body)
      return parseCount(items.find(({ slug }) => slug === 'counter')?.description)
    },
    committed: 0,
  },
  {
    path: `${BASE}/settings`,
    write: 'UPDATE global_settings SET contact_email = $1',
    parse: (body) => parseCount(SettingsBundle.parse(body).site_settings.contact_email),
    committed: 0,
  },
]

const database = await startDatabase(0)
const pool = new pg.Pool({ connectionString: database.url, max: 10 })
// The server may report its end on a connection that the pool is still closing.
pool.on('error', () => {})
const servers = await Promise.all(['api', 'api'].map((name) => startServer(name, database.url)))
const counts = { reads: 0, stale: 0, timed: 0, late: 0 }
try {
  await insertCounters()
  const isDone = () => counts.reads >= READS
  await Promise.all([
    ...COUNTERS.map((counter) => write(counter, isDone)),
    ...Array.from({ length: CONCURRENT_READS }, (_, i) => read(i, isDone)),
    publish(isDone),
  ])
  report([
    {
      name: 'api.consistency.reads',
      value: counts.reads,
      unit: '',
      goal: { op: '>=', value: 10_000 },
    },
    { name: 'api.consistency.stale', value: counts.stale, unit: '', goal: { op: '<=', value: 0 } },
    {
      name: 'api.consistency.commits',
      value: COUNTERS.reduce((sum, { committed }) => sum + committed, 0),
      unit: '',
    },
    { name: 'api.consistency.timed-reads', value: counts.timed, unit: '' },
    {
      name: 'api.consistency.timed-stale',
      value: counts.late,
      unit: '',
      goal: { op: '<=', value: 0 },
    },
  ])
} finally {
  for (const server of servers) server.stop()
  await pool.end()
  await database.stop()
}

async function insertCounters(): Promise<void> {
  await pool.query(`UPDATE site_settings SET contact_email = NULL`)
  await pool.query(`INSERT INTO articles (site_id, slug, language, status, title, description, is_featured, published_at)
    VALUES (1, 'counter', 'en', 'published', 'v0', 'v0', true, now())`)
  for (const { write } of COUNTERS) await pool.query(write, ['v0'])
}

/** Increases a counter; `committed` is updated only after the COMMIT has returned. */
async function write(counter: Counter, isDone: () => boolean): Promise<void> {
  for (let n = 1; !isDone(); n++) {
    await pool.query(counter.write, [`v${n}`])
    counter.committed = n
    await sleep(Math.random() * 20)
  }
}

/** Reads counters; a response is stale when its number is less than the last one committed before the request. */
async function read(start: number, isDone: () => boolean): Promise<void> {
  for (let i = start; !isDone(); i++) {
    const counter = COUNTERS[i % COUNTERS.length]
    if (!counter) continue
    const { committed } = counter
    const count = counter.parse(await request(i, counter.path))
    counts.reads += 1
    if (count < committed) counts.stale += 1
  }
}

/** Inserts articles that are published a moment later, and requests them from both servers when that moment has passed. */
async function publish(isDone: () => boolean): Promise<void> {
  for (let n = 0; !isDone(); n++) {
    await pool.query(
      `INSERT INTO articles (site_id, slug, language, status, title, published_at)
       VALUES (1, 'timed-' || $1::integer, 'en', 'published', 'Timed', clock_timestamp() + $2::integer * interval '1 millisecond')`,
      [n, PUBLISH_DELAY_MS],
    )
    while (!(await isPublished(n))) await sleep(1)
    const shown = await Promise.all(
      servers.map((_, i) => request(i, `${BASE}/lists?kind=recent&limit=1`)),
    )
    counts.timed += shown.length
    counts.late += shown.filter(
      (body) => ListResponse.parse(body).items[0]?.slug !== `timed-${n}`,
    ).length
  }
}

async function isPublished(n: number): Promise<boolean> {
  const sql = `SELECT published_at <= clock_timestamp() AS passed FROM articles WHERE slug = 'timed-' || $1::integer`
  const { rows } = await pool.query(sql, [n])
  return rows[0].passed
}

async function request(i: number, path: string): Promise<unknown> {
  const response = await fetch(`${servers[i % servers.length]?.address}${path}`, {
    headers: HEADERS,
  })
  if (response.status !== 200) throw new Error(`${path} responded with ${response.status}`)
  return response.json()
}
