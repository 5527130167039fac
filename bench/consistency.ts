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
  /** The newest number whose COMMIT has returned. */
  committed: number
}

/** Returns 12 for `v12`, and 0 for a text of another form. */
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
// PostgreSQL may report its shutdown on a connection that the pool is still closing.
pool.on('error', () => {})
const servers = await Promise.all(['api', 'api'].map((name) => startServer(name, database.url)))
/** Timed reads are those of articles whose `published_at` has just passed. */
const counts = { reads: 0, staleReads: 0, timedReads: 0, staleTimedReads: 0 }
try {
  await insertCounters()
  const isDone = () => counts.reads >= READS
  await Promise.all([
    ...COUNTERS.map((counter) => increaseCounter(counter, isDone)),
    ...Array.from({ length: CONCURRENT_READS }, (_, index) => readCounters(index, isDone)),
    publishArticles(isDone),
  ])
  report([
    {
      name: 'api.consistency.reads',
      value: counts.reads,
      unit: '',
      goal: { op: '>=', value: 10_000 },
    },
    {
      name: 'api.consistency.stale',
      value: counts.staleReads,
      unit: '',
      goal: { op: '<=', value: 0 },
    },
    {
      name: 'api.consistency.commits',
      value: COUNTERS.reduce((sum, { committed }) => sum + committed, 0),
      unit: '',
    },
    { name: 'api.consistency.timed-reads', value: counts.timedReads, unit: '' },
    {
      name: 'api.consistency.timed-stale',
      value: counts.staleTimedReads,
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

/** Increases a counter again and again, until `isDone` returns true. */
async function increaseCounter(counter: Counter, isDone: () => boolean): Promise<void> {
  for (let count = 1; !isDone(); count++) {
    await pool.query(counter.write, [`v${count}`])
    counter.committed = count
    await sleep(Math.random() * 20)
  }
}

/**
 * Reads counters; a response is stale when its number is less than the last one committed before the request.
 */
async function readCounters(firstIndex: number, isDone: () => boolean): Promise<void> {
  for (let index = firstIndex; !isDone(); index++) {
    const counter = COUNTERS[index % COUNTERS.length]
    if (!counter) continue
    const { committed } = counter
    const count = counter.parse(await request(index, counter.path))
    counts.reads += 1
    if (count < committed) counts.staleReads += 1
  }
}

/**
 * Inserts articles that are published a moment later, and requests them
 * from both servers when that moment has passed.
 */
async function publishArticles(isDone: () => boolean): Promise<void> {
  for (let number = 0; !isDone(); number++) {
    await pool.query(
      `INSERT INTO articles (site_id, slug, language, status, title, published_at)
       VALUES (1, 'timed-' || $1::integer, 'en', 'published', 'Timed', clock_timestamp() + $2::integer * interval '1 millisecond')`,
      [number, PUBLISH_DELAY_MS],
    )
    while (!(await isPublished(number))) await sleep(1)
    const lists = await Promise.all(
      servers.map((_, index) => request(index, `${BASE}/lists?kind=recent&limit=1`)),
    )
    counts.timedReads += lists.length
    counts.staleTimedReads += lists.filter(
      (body) => ListResponse.parse(body).items[0]?.slug !== `timed-${number}`,
    ).length
  }
}

async function isPublished(number: number): Promise<boolean> {
  const sql = `SELECT published_at <= clock_timestamp() AS passed FROM articles WHERE slug = 'timed-' || $1::integer`
  const { rows } = await pool.query(sql, [number])
  return rows[0].passed
}

/** Requests a path from one of the servers, which take turns by index. */
async function request(index: number, path: string): Promise<unknown> {
  const response = await fetch(`${servers[index % servers.length]?.address}${path}`, {
    headers: HEADERS,
  })
  if (response.status !== 200) throw new Error(`${path} responded with ${response.status}`)
  return response.json()
}
