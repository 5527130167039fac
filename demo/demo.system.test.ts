import { createHash } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Instant, LanguageCode, SitePath, Slug, Url } from '../contract/primitives.ts'
import { TABLES } from '../prisma/rows.ts'
import { createDatabase, type TestDatabase } from '../prisma/test-database.ts'
import { importDemo } from './import-demo.ts'
import { seed } from './index.ts'
import { readDemoObjects } from './objects.ts'
import { createSeededDatabase, SEEDED_ON } from './test-database.ts'

const databases: TestDatabase[] = []
let seeded: TestDatabase

beforeAll(async () => {
  seeded = await createSeededDatabase()
  databases.push(seeded)
})

afterAll(() => Promise.all(databases.map((database) => database.drop())))

async function createEmptyDatabase(): Promise<TestDatabase> {
  const database = await createDatabase()
  databases.push(database)
  return database
}

async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<T>(sql)
  await client.end()
  return rows
}

async function digest(url: string): Promise<string> {
  const hash = createHash('sha256')
  for (const table of TABLES)
    hash.update(JSON.stringify(await query(url, `SELECT * FROM ${table} ORDER BY 1, 2`)))
  return hash.digest('hex')
}

test('the same reference day produces the same rows, including variations', async () => {
  const both = [await createEmptyDatabase(), await createEmptyDatabase()]
  for (const { url } of both) await seed(url, { reference: SEEDED_ON, articles: 400 })
  const [first, second] = await Promise.all(both.map(({ url }) => digest(url)))
  expect(first).toBe(second)
  const [count] = await query(both[0]?.url ?? '', 'SELECT count(*)::int FROM articles')
  expect(count).toEqual({ count: 400 })
})

test('does not change a database that has sites', async () => {
  const before = await digest(seeded.url)
  expect(await seed(seeded.url)).toEqual({ seeded: false, articles: 0 })
  expect(await digest(seeded.url)).toBe(before)
})

test('reports progress in ascending order, until all articles are written', async () => {
  const { url } = await createEmptyDatabase()
  const steps: number[] = []
  await seed(url, { articles: 300, onProgress: ({ done, total }) => steps.push(done / total) })
  expect(steps.at(-1)).toBe(1)
  expect(steps).toEqual(steps.toSorted((a, b) => a - b))
})

test.each([
  [
    'at least two languages on each active site',
    `SELECT acronym, count(DISTINCT language)::int AS n FROM articles JOIN sites ON sites.id = site_id WHERE active GROUP BY 1`,
    2,
  ],
  [
    'at least 36 articles per active newsroom in its default language',
    `SELECT acronym, count(*)::int AS n FROM articles a JOIN sites s ON s.id = site_id WHERE active AND language = default_language GROUP BY 1`,
    36,
  ],
  [
    'at least 12 translations per active newsroom',
    `SELECT acronym, count(*)::int AS n FROM articles a JOIN sites s ON s.id = site_id WHERE active AND language <> default_language GROUP BY 1`,
    12,
  ],
  [
    'scheduled articles',
    `SELECT acronym, count(*)::int AS n FROM articles JOIN sites s ON s.id = site_id WHERE active AND status = 'published' AND published_at > '${SEEDED_ON.toISOString()}' GROUP BY 1`,
    1,
  ],
  [
    'every status',
    `SELECT acronym, count(DISTINCT status)::int AS n FROM articles JOIN sites s ON s.id = site_id WHERE active GROUP BY 1`,
    3,
  ],
  [
    'several content types',
    `SELECT acronym, count(DISTINCT content_type)::int AS n FROM articles JOIN sites s ON s.id = site_id WHERE active GROUP BY 1`,
    2,
  ],
  [
    'inactive authors',
    `SELECT acronym, count(*)::int AS n FROM authors a JOIN sites s ON s.id = site_id WHERE s.active AND NOT a.active GROUP BY 1`,
    1,
  ],
  [
    'article versions',
    `SELECT acronym, count(*)::int AS n FROM article_versions JOIN articles a ON a.id = article_id JOIN sites s ON s.id = site_id GROUP BY 1`,
    2,
  ],
  [
    'scores',
    `SELECT acronym, count(*)::int AS n FROM article_scores JOIN sites s ON s.id = site_id WHERE active GROUP BY 1`,
    20,
  ],
  [
    'positions on the home page',
    `SELECT acronym, count(*)::int AS n FROM articles JOIN sites s ON s.id = site_id WHERE homepage_position IS NOT NULL GROUP BY 1`,
    8,
  ],
])('has %s', async (_, sql, minimum) => {
  const rows = await query<{ acronym: string; n: number }>(seeded.url, sql)
  expect(rows.map(({ acronym }) => acronym)).toEqual(
    expect.arrayContaining(['harbour', 'meridian']),
  )
  for (const { n } of rows) expect(n).toBeGreaterThanOrEqual(minimum)
})

test('slugs, languages, paths and links match the contract', async () => {
  const { url } = await createEmptyDatabase()
  await seed(url, { articles: 1000, reference: SEEDED_ON })
  const columns: [string, z.ZodMiniType][] = [
    ['SELECT slug FROM articles UNION SELECT slug FROM tags UNION SELECT slug FROM authors', Slug],
    ['SELECT language FROM articles UNION SELECT code FROM site_languages', LanguageCode],
    ['SELECT path FROM navigation_items', SitePath],
    [
      'SELECT unnest(social_links) FROM authors UNION SELECT website_url FROM authors WHERE website_url IS NOT NULL',
      Url,
    ],
  ]
  for (const [sql, schema] of columns)
    for (const row of await query(url, sql))
      expect(z.safeParse(schema, Object.values(row)[0]).success, JSON.stringify(row)).toBe(true)
  const [row] = await query(url, 'SELECT max(updated_at) AS latest FROM articles')
  expect(z.safeParse(Instant, row?.latest.toISOString()).success).toBe(true)
})

test('every link in an article leads to an article of the same site', async () => {
  const articles = await query<{ site_id: number; slug: string; body_html: string }>(
    seeded.url,
    'SELECT site_id, slug, body_html FROM articles',
  )
  const known = new Set(articles.map(({ site_id, slug }) => `${site_id}/${slug}`))
  for (const { site_id, body_html } of articles)
    for (const [, slug] of body_html.matchAll(/href="\/([^"/]+)"/g))
      expect(known).toContain(`${site_id}/${slug}`)
})

test('every referenced picture, file and stylesheet has an object', {
  timeout: 180_000,
}, async () => {
  const keys = new Set<string>()
  for await (const { key } of readDemoObjects()) keys.add(key)
  const referenced = await query<{ key: string }>(
    seeded.url,
    `SELECT key FROM images
     UNION SELECT variant ->> 'key' FROM images, jsonb_array_elements(variants) AS variant
     UNION SELECT replace(icon_url, '/cmp-media/', '') FROM site_settings
     UNION SELECT 'css/' || css_slug || '/' || css_version || '.css' FROM site_settings WHERE css_version IS NOT NULL
     UNION SELECT (regexp_matches(body_html, '/cmp-media/([^"]+)"', 'g'))[1] FROM articles`,
  )
  expect(referenced.length).toBeGreaterThan(200)
  expect(referenced.map(({ key }) => key).filter((key) => !keys.has(key))).toEqual([])
})

test('adds a newsroom to a database in use, unless its acronym or domain is taken', async () => {
  const { url } = await createEmptyDatabase()
  await query(
    url,
    `INSERT INTO sites (acronym, domain, name, default_language) VALUES ('mine', 'mine.test', 'Mine', 'en')`,
  )
  const { articles } = await importDemo(url, { acronym: 'meridian', domain: 'demo.test' })
  expect(articles).toBeGreaterThan(40)
  await expect(importDemo(url, { acronym: 'meridian' })).rejects.toThrow('already')
  await expect(importDemo(url, { acronym: 'harbour', domain: 'MINE.test' })).rejects.toThrow(
    'already',
  )
  await importDemo(url, { acronym: 'harbour' })
  // A new row gets an id that the import has not used.
  await query(
    url,
    `INSERT INTO articles (site_id, slug, language, title) SELECT id, 'next', 'en', 'Next' FROM sites WHERE acronym = 'mine'`,
  )
})
