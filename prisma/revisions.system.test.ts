import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from './test-database.ts'

let database: TestDatabase
let client: pg.Client
const clients: pg.Client[] = []

async function connect(): Promise<pg.Client> {
  const connected = new pg.Client(database.url)
  await connected.connect()
  clients.push(connected)
  return connected
}

beforeEach(async () => {
  database = await createDatabase()
  client = await connect()
  await client.query(`
    INSERT INTO sites (id, acronym, domain, name, default_language)
      VALUES (1, 'one', 'one.test', 'One', 'en'), (2, 'two', 'two.test', 'Two', 'en');
    INSERT INTO categories (id, site_id, slug, language, name) VALUES (1, 1, 'port', 'en', 'Port');
    INSERT INTO authors (id, site_id, slug, name, social_links, expertise) VALUES (1, 1, 'ann', 'Ann', '{}', '{}');
    INSERT INTO tags (id, site_id, slug, language, name) VALUES (1, 1, 'fog', 'en', 'Fog');
    INSERT INTO images (id, site_id, key, alt, width, height, mime_type) VALUES (1, 1, 'a.jpg', '', 1, 1, 'image/jpeg');
    INSERT INTO template_elements (id, key, type, title, source) VALUES (1, 'home', 'layout', 'Home', '');
    INSERT INTO articles (id, site_id, slug, language, title, status, published_at, category_id, author_id)
      VALUES (1, 1, 'a', 'en', 'A', 'published', now(), 1, 1), (2, 1, 'b', 'en', 'B', 'draft', NULL, NULL, NULL);
    SELECT setval('articles_id_seq', 2)`)
})

afterEach(async () => {
  await Promise.all(clients.splice(0).map((each) => each.end()))
  await database.drop()
})

/** Returns the number of revisions by site; 0 stands for all sites. */
async function countRevisions(): Promise<Record<number, number>> {
  const { rows } = await client.query(
    'SELECT site_id, count(*)::int AS count FROM revisions GROUP BY site_id',
  )
  return Object.fromEntries(rows.map((row) => [row.site_id, row.count]))
}

/** Runs SQL; returns the revisions that it adds for sites 0 (all), 1 and 2, and its rows in the change log. */
async function recordChanges(sql: string) {
  const before = await countRevisions()
  const { rows: newest } = await client.query('SELECT coalesce(max(id), 0) AS id FROM changes')
  await client.query(sql)
  const after = await countRevisions()
  const { rows: log } = await client.query(
    'SELECT site_id, kind, article_id, before, after FROM changes WHERE id > $1 ORDER BY id',
    [newest[0]?.id],
  )
  const increments = [0, 1, 2].map((site) => (after[site] ?? 0) - (before[site] ?? 0))
  return { increments, log }
}

const MONTH = new Date().toISOString().slice(0, 7)
const A = { slug: 'a', language: 'en', category_slug: 'port', author_slug: 'ann', month: MONTH }

describe('revisions of all sites, of site 1 and of site 2 after a change of', () => {
  test.each([
    ['a site', `UPDATE sites SET name = 'x' WHERE id = 1`, [1, 0, 0]],
    [
      'the site of a domain',
      `BEGIN; UPDATE sites SET domain = 'gone.test' WHERE id = 1; UPDATE sites SET domain = 'one.test' WHERE id = 2; COMMIT`,
      [1, 0, 0],
    ],
    ['settings of a site', `INSERT INTO site_settings (site_id, title) VALUES (2, 'x')`, [0, 0, 1]],
    [
      'a language',
      `INSERT INTO site_languages (site_id, code, name) VALUES (2, 'de', 'Deutsch')`,
      [0, 0, 1],
    ],
    [
      'navigation',
      `INSERT INTO navigation_items (site_id, area, label, path) VALUES (1, 'header', 'x', '/x')`,
      [0, 1, 0],
    ],
    ['a category', `UPDATE categories SET name = 'x'`, [0, 1, 0]],
    [
      'the site of a category',
      `BEGIN; UPDATE articles SET category_id = NULL; UPDATE categories SET site_id = 2; COMMIT`,
      [0, 1, 1],
    ],
    ['a tag', `DELETE FROM tags`, [0, 1, 0]],
    ['an author', `UPDATE authors SET active = false`, [0, 1, 0]],
    ['a picture', `UPDATE images SET alt = 'x'`, [0, 1, 0]],
    [
      'an uploaded picture, which no page shows yet',
      `INSERT INTO images (id, site_id, key, alt, width, height, mime_type) VALUES (2, 1, 'b', '', 1, 1, 'image/png')`,
      [0, 0, 0],
    ],
    ['global settings', `UPDATE global_settings SET title = 'x'`, [1, 0, 0]],
    ['a template', `UPDATE template_elements SET source = 'x'`, [1, 0, 0]],
    [
      'a theme',
      `INSERT INTO template_blocks (element_id, theme, source) VALUES (1, 't', '')`,
      [1, 0, 0],
    ],
    [
      'an override',
      `INSERT INTO template_overrides (element_id, site_id, source) VALUES (1, 2, '')`,
      [0, 0, 1],
    ],
    [
      'scores',
      `INSERT INTO article_scores (article_id, site_id, score) VALUES (1, 1, 9)`,
      [0, 1, 0],
    ],
    ['a draft, which is logged nowhere', `UPDATE articles SET title = 'x' WHERE id = 2`, [0, 0, 0]],
    [
      'no value, which is logged nowhere',
      `UPDATE articles SET title = title; UPDATE categories SET name = name`,
      [0, 0, 0],
    ],
    ['a truncated table', `TRUNCATE article_scores`, [1, 0, 0]],
    ['a deleted site', `DELETE FROM sites WHERE id = 2`, [1, 0, 0]],
  ])('%s', async (_, sql, increments) => {
    expect((await recordChanges(sql)).increments).toEqual(increments)
  })
})

describe('the change log of an article', () => {
  test.each([
    [
      'published',
      `UPDATE articles SET status = 'published', published_at = now() WHERE id = 2`,
      2,
      null,
      { slug: 'b', language: 'en', category_slug: null, author_slug: null, month: MONTH },
    ],
    ['renamed', `UPDATE articles SET slug = 'z' WHERE id = 1`, 1, A, { ...A, slug: 'z' }],
    ['edited', `UPDATE articles SET body_html = 'x' WHERE id = 1`, 1, A, A],
    ['unpublished', `UPDATE articles SET status = 'unpublished' WHERE id = 1`, 1, A, null],
    ['deleted', `DELETE FROM articles WHERE id = 1`, 1, A, null],
    ['tagged', `INSERT INTO article_tags VALUES (1, 1)`, 1, A, A],
    [
      'without its author',
      `UPDATE articles SET author_id = NULL WHERE id = 1`,
      1,
      A,
      { ...A, author_slug: null },
    ],
  ])('%s', async (_, sql, id, before, after) => {
    expect(await recordChanges(sql)).toEqual({
      increments: [0, 1, 0],
      log: [{ site_id: 1, kind: 'article', article_id: id, before, after }],
    })
  })

  test('an article moved to another site is deleted on one and new on the other', async () => {
    const { increments, log } = await recordChanges(
      `UPDATE articles SET site_id = 2, category_id = NULL, author_id = NULL WHERE id = 1`,
    )
    expect(increments).toEqual([0, 1, 1])
    expect(log).toMatchObject([
      { site_id: 1, before: A, after: null },
      { site_id: 2, before: null, after: { ...A, category_slug: null, author_slug: null } },
    ])
  })
})

test('a transaction of many statements increments the revision of each site once', async () => {
  const { increments, log } = await recordChanges(`BEGIN;
    UPDATE articles SET title = 'x' WHERE id = 1;
    UPDATE categories SET name = 'x';
    INSERT INTO site_settings (site_id) VALUES (1), (2);
    UPDATE articles SET title = 'y' WHERE id = 1;
    COMMIT`)
  expect(increments).toEqual([0, 1, 1])
  expect(log).toHaveLength(5)
})

test('a bulk change of articles is one revision and one row for the whole site', async () => {
  const { increments, log } = await recordChanges(`
    INSERT INTO articles (site_id, slug, language, title, status, published_at)
    SELECT 2, 'n-' || n, 'en', 'N', 'published', now() FROM generate_series(1, 600) AS n`)
  expect(increments).toEqual([0, 0, 1])
  expect(log).toMatchObject([{ site_id: 2, kind: 'settings' }])
})

test('many small changes of articles in one transaction are one revision and one row too', async () => {
  const inserts = Array.from(
    { length: 501 },
    (_, n) => `INSERT INTO articles (site_id, slug, language, title, status, published_at)
      VALUES (2, 'n-${n}', 'en', 'N', 'published', now());`,
  )
  const { increments, log } = await recordChanges(`BEGIN; ${inserts.join('')} COMMIT`)
  expect(increments).toEqual([0, 0, 1])
  expect(log).toMatchObject([{ site_id: 2, kind: 'settings' }])
})

test('changes that are rolled back increment no revision', async () => {
  const rolledBack = await recordChanges(
    `BEGIN; UPDATE articles SET title = 'x' WHERE id = 1; ROLLBACK`,
  )
  expect(rolledBack).toEqual({ increments: [0, 0, 0], log: [] })
  const partlyRolledBack =
    await recordChanges(`BEGIN; SAVEPOINT s; UPDATE articles SET title = 'x' WHERE id = 1;
    ROLLBACK TO s; INSERT INTO site_settings (site_id) VALUES (2); COMMIT`)
  expect(partlyRolledBack.increments).toEqual([0, 0, 1])
})

test('an open transaction does not block commits on the same site', async () => {
  const slow = await connect()
  await slow.query(`BEGIN; UPDATE articles SET title = 'slow' WHERE id = 1`)
  await client.query(`SET lock_timeout = '2s'; UPDATE categories SET name = 'quick'`)
  await slow.query('COMMIT')
  // One revision is that of `beforeEach`.
  expect((await countRevisions())[1]).toBe(3)
})

test('transactions that change sites in opposite orders do not deadlock', async () => {
  const rows = `INSERT INTO navigation_items (site_id, area, label, path) VALUES`
  const write = async (sites: number[]) => {
    const writer = await connect()
    for (let round = 0; round < 40; round++) {
      await writer.query('BEGIN')
      for (const site of sites)
        await writer.query(
          site === 0
            ? `INSERT INTO template_blocks (element_id, theme, source) VALUES (1, '${sites}${round}', '')`
            : `${rows} (${site}, 'header', 'x', '/x')`,
        )
      await writer.query('COMMIT')
    }
  }
  const before = await countRevisions()
  // Each writer commits 40 transactions. Three of them change site 0, three site 1, and all four site 2.
  await Promise.all([write([1, 2, 0]), write([2, 1]), write([0, 2, 1]), write([2, 0])])
  const after = await countRevisions()
  expect([0, 1, 2].map((site) => (after[site] ?? 0) - (before[site] ?? 0))).toEqual([120, 120, 160])
})

test('after a burst of commits no revision is ahead of the clock, and timestamps never decrease', async () => {
  for (let n = 0; n < 50; n++) await client.query(`UPDATE categories SET name = 'x${n}'`)
  const { rows } = await client.query<{ revised_at: Date }>(
    'SELECT revised_at FROM revisions WHERE site_id = 1 ORDER BY revision',
  )
  const instants = rows.map(({ revised_at }) => revised_at.getTime())
  expect(instants).toEqual(instants.toSorted((one, other) => one - other))
  expect(instants.at(-1)).toBeLessThanOrEqual(Date.now() + 5)
})

test('a change prunes the revisions and changes of its site that are older than a week', async () => {
  await client.query(`UPDATE revisions SET revised_at = now() - interval '8 days'`)
  await client.query(`UPDATE categories SET name = 'x'`)
  const { rows } = await client.query(
    'SELECT site_id, count(*)::int FROM changes WHERE site_id = 1 GROUP BY 1',
  )
  expect(rows).toEqual([{ site_id: 1, count: 1 }])
  // Site 0 has no new change, so its revisions remain.
  expect(await countRevisions()).toMatchObject({ 0: 2, 1: 1 })
})

test.each(['REPEATABLE READ', 'SERIALIZABLE'])(
  'concurrent writers commit under %s, where only SERIALIZABLE may reject one',
  async (level) => {
    const [one, other] = [await connect(), await connect()]
    const before = await countRevisions()
    for (const [writer, sql] of [
      [one, 'INSERT INTO site_settings (site_id) VALUES (1)'],
      [other, `INSERT INTO site_languages (site_id, code, name) VALUES (1, 'de', 'Deutsch')`],
    ] as const) {
      await writer.query(`BEGIN ISOLATION LEVEL ${level}`)
      await writer.query(sql)
    }
    await one.query('COMMIT')
    if (level === 'REPEATABLE READ') await other.query('COMMIT')
    else await other.query('COMMIT').catch((error) => expect(error.code).toBe('40001'))
    const increment = ((await countRevisions())[1] ?? 0) - (before[1] ?? 0)
    expect(increment).toBeGreaterThanOrEqual(level === 'REPEATABLE READ' ? 2 : 1)
  },
)

describe('a replication session increments the revisions in the same way after a change of', () => {
  test.each([
    ['an article', `UPDATE articles SET title = 'x' WHERE id = 1`, [0, 1, 0]],
    ['a deleted article', 'DELETE FROM articles WHERE id = 1', [0, 1, 0]],
    ['a tag of an article', 'INSERT INTO article_tags VALUES (1, 1)', [0, 1, 0]],
    ['a category', `UPDATE categories SET name = 'x'`, [0, 1, 0]],
    ['a picture', `UPDATE images SET alt = 'x'`, [0, 1, 0]],
    ['a template', `UPDATE template_elements SET source = 'x'`, [1, 0, 0]],
    ['a truncated table', 'TRUNCATE article_scores', [1, 0, 0]],
    ['a redirect', `INSERT INTO redirects VALUES (2, '/a', '/b')`, [0, 0, 1]],
    ['a draft', `UPDATE articles SET title = 'x' WHERE id = 2`, [0, 0, 0]],
  ])('%s', async (_, sql, increments) => {
    await client.query('SET session_replication_role = replica')
    expect((await recordChanges(sql)).increments).toEqual(increments)
  })
})

test('every edit sets updated_at', async () => {
  await client.query(`UPDATE articles SET updated_at = now() - interval '1 day' WHERE id = 1`)
  const { rows } = await client.query(
    `UPDATE articles SET title = 'x' WHERE id = 1 RETURNING updated_at > now() - interval '1 minute' AS is_recent`,
  )
  expect(rows).toEqual([{ is_recent: true }])
})
