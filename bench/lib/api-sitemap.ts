import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { createApp } from '../../api/app.ts'
import { createDatabase } from '../../api/database.ts'
import { HEADERS, KEY_DIGEST } from './api-requests.ts'
import { median } from './load.ts'
import type { Figure } from './report.ts'

// An uncompressed response with 50,000 entries exceeds the limit of a Function URL.
const ENTRIES = 25_000
const ROUNDS = 5
const PATH = `/public/v2/sites/bulk/sitemap?limit=${ENTRIES}`

const INSERT_ARTICLES = `
INSERT INTO sites (acronym, domain, name, default_language) VALUES ('bulk', 'bulk.example', 'Bulk', 'en');
INSERT INTO articles (site_id, slug, language, status, title, show_in_homepage, published_at)
  SELECT s.id, 'an-article-with-a-slug-of-the-usual-length-' || n, 'en', 'published', 'Title', true,
    timestamptz '2020-01-01' + n * interval '1 minute'
  FROM sites s, generate_series(1, ${ENTRIES + 1000}) AS n WHERE s.acronym = 'bulk'`

const BARE_SELECT = `SELECT a.id, a.slug, a.language, a.published_at, a.updated_at FROM articles a
  WHERE a.site_id = (SELECT id FROM sites WHERE acronym = 'bulk') AND a.status = 'published' AND a.published_at <= now()
    AND a.content_type = 'homepage_article' AND (a.is_featured OR a.show_in_homepage)
  ORDER BY a.published_at, a.id LIMIT ${ENTRIES}`

/**
 * Measures a large sitemap: its time in relation to the bare SQL, and its memory in relation to the size of the
 * response.
 */
export async function measureSitemap(url: string): Promise<Figure[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(INSERT_ARTICLES)
  await client.query('VACUUM ANALYZE articles')
  const log = { debug: () => {}, info: () => {}, warn: console.error, error: console.error }
  const database = createDatabase({ type: 'url', url }, { max: 10, log })
  const options = { database, log, keyDigests: [KEY_DIGEST], previewDigests: [], v1Enabled: false }
  // Each request gets a new app, so no response is cached.
  const createRequest = () => {
    const app = createApp(options)
    return async (): Promise<Response> => app.request(PATH, { headers: HEADERS })
  }
  try {
    const ratios = await timeRounds(() => client.query(BARE_SELECT), createRequest)
    return [
      {
        name: 'api.sitemap.time',
        value: median(ratios),
        unit: 'x',
        goal: { op: '<=', value: 1.5 },
      },
      {
        name: 'api.sitemap.memory',
        value: await measureMemory(createRequest()),
        unit: 'x',
        goal: { op: '<=', value: 2 },
      },
    ]
  } finally {
    await Promise.all([client.end(), database.close()])
  }
}

/** Returns for each round the time in relation to the bare SQL. */
async function timeRounds(
  query: () => Promise<pg.QueryResult>,
  createRequest: () => () => Promise<Response>,
): Promise<number[]> {
  const ratios = []
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await time(async () => (await query()).rows.length)
    const request = createRequest()
    const response = await time(async () => (await request()).text())
    requireAllEntries(bare.result)
    requireAllEntries(JSON.parse(response.result).urls.length)
    ratios.push(response.milliseconds / bare.milliseconds)
  }
  return ratios
}

async function time<T>(work: () => Promise<T>): Promise<{ result: T; milliseconds: number }> {
  const start = performance.now()
  const result = await work()
  return { result, milliseconds: performance.now() - start }
}

function requireAllEntries(entries: number): void {
  if (entries !== ENTRIES)
    throw new Error(`The sitemap has ${entries} entries instead of ${ENTRIES}.`)
}

/** Returns the peak of live memory during a response, as a multiple of the response's size. */
async function measureMemory(request: () => Promise<Response>): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const readLiveBytes = (): number => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  // Memory of earlier responses is freed in a later turn of the event loop.
  collect()
  await sleep(100)
  const before = readLiveBytes()
  let peak = before
  const sample = setInterval(() => {
    peak = Math.max(peak, readLiveBytes())
  }, 1)
  const { body } = await request()
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    peak = Math.max(peak, readLiveBytes())
  }
  clearInterval(sample)
  return (peak - before) / length
}
