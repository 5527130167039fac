import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ChangesResponse } from '../../contract/changes.ts'
import { LIST_KINDS } from '../../contract/list.ts'
import {
  ACCEPTED_WRITES,
  BROKEN_WRITES,
  type BrokenWrite,
  RESET_TARGETS,
  set,
  TARGET_ID,
} from './broken-rows.ts'
import { createFixture, type Fixture, type Instance } from './fixture.ts'
import { fillNewsroom } from './newsroom.ts'

/** A database with all constraints, and one without any. */
let constrained: Fixture
let unconstrained: Fixture
let api: Instance

beforeAll(async () => {
  constrained = await createTargets()
  unconstrained = await createTargets()
  await unconstrained.sql(DROP_CONSTRAINTS)
  api = unconstrained.start()
})
afterAll(async () => {
  await constrained.close()
  await unconstrained.close()
})

async function createTargets(): Promise<Fixture> {
  const fixture = await createFixture()
  await fillNewsroom(fixture)
  await fixture.sql(INSERT_INTO_OTHER_SITE)
  return fixture
}

/** Inserts rows of site 2, so that rows of site 1 can refer to them. */
const INSERT_INTO_OTHER_SITE = `
INSERT INTO images (id, site_id, key, alt, width, height, mime_type) VALUES (200, 2, 'b.jpg', '', 1, 1, 'image/jpeg');
INSERT INTO authors (id, site_id, slug, name, social_links, expertise) VALUES (200, 2, 'b', 'B', '{}', '{}');
INSERT INTO categories (id, site_id, slug, language, name) VALUES (200, 2, 'b', 'en', 'B');
INSERT INTO tags (id, site_id, slug, language, name) VALUES (200, 2, 'b', 'en', 'B')`

// Drops the constraints, and the triggers that enforce a rule instead of a constraint.
const DROP_CONSTRAINTS = `DO $$
DECLARE
  dropped record;
BEGIN
  FOR dropped IN SELECT conrelid::regclass AS relation, conname AS name FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype IN ('f', 'c', 'u', 'p', 'n')
      AND conrelid::regclass::text NOT IN ('changes', 'revisions', 'api_secrets', 'database_identity', 'template_publications', '_prisma_migrations')
    ORDER BY contype = 'n', contype <> 'f'
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', dropped.relation, dropped.name);
  END LOOP;
  FOR dropped IN SELECT tgrelid::regclass AS relation, tgname AS name FROM pg_trigger
    WHERE tgname ~ '_in_site|_site_of_'
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', dropped.name, dropped.relation);
  END LOOP;
END
$$`

/** Returns the name of the constraint that rejects a write, the SQLSTATE and column of a null, or `accepted`. */
const findViolation = (fixture: Fixture, sql: string): Promise<unknown> =>
  fixture.sql(sql).then(
    () => 'accepted',
    (error: pg.DatabaseError) => error.constraint ?? `${error.code} ${error.column}`,
  )

/** Paths that must not fail: settings, lists, the sitemap, and pages whose article or author is not a target row. */
const PATHS = [
  'settings',
  'settings?language=de',
  ...LIST_KINDS.map(
    (kind) => `lists?kind=${kind}&category=news&author_slug=jane&related_to=a2&q=title`,
  ),
  'lists?kind=recent&limit=1',
  'sitemap',
  'pages/a2',
  'pages/a1?language=de',
  'authors/jane',
]

/** Runs a write in the database without constraints. Expects that `PATHS` return 200 and that an edit is visible. */
async function expectNoOtherEffect(sql: string): Promise<void> {
  const { revision } = await readChanges('')
  await unconstrained.sql(sql).catch((error: pg.DatabaseError) => {
    throw new Error(`The write failed without constraints: ${sql}: ${error.message}`)
  })
  for (const path of PATHS) {
    const response = await api.request(`/public/v2/sites/1/${path}`)
    expect(response.status, `${path}: ${await response.text()}`).toBe(200)
  }
  const recent = await (await api.request('/public/v2/sites/1/lists?kind=recent')).text()
  for (const slug of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) expect(recent).toContain(`"/${slug}"`)
  const title = `Edited after ${revision}`
  await unconstrained.sql(`UPDATE articles SET title = $1 WHERE slug = 'a6'`, [title])
  expect(await (await api.request('/public/v2/sites/1/pages/a6')).text()).toContain(title)
  const { reset, articles } = await readChanges(`?after=${revision}`)
  expect(reset || articles.some(({ after }) => after?.slug === 'a6')).toBe(true)
}

async function readChanges(query: string): Promise<ChangesResponse> {
  const response = await api.request(`/public/v2/sites/1/changes${query}`)
  expect(response.status).toBe(200)
  return ChangesResponse.parse(await response.json())
}

describe('a write that breaks a rule or could break a page', () => {
  test.each(BROKEN_WRITES)('is rejected by the constraint %s: %s', async (rule, sql) => {
    await constrained.sql(RESET_TARGETS)
    expect(await findViolation(constrained, sql)).toBe(rule)
  })

  test.each(BROKEN_WRITES)(
    'affects no other page without the constraint %s: %s',
    async (_, sql) => {
      await unconstrained.sql(RESET_TARGETS)
      await expectNoOtherEffect(sql)
    },
  )

  test.each(ACCEPTED_WRITES)('affects no other page: %s: %s', async (_, sql) => {
    await unconstrained.sql(RESET_TARGETS)
    await expectNoOtherEffect(sql)
  })
})

describe('length limits and not-null columns, read from pg_catalog', () => {
  test('a text that is too long is rejected by name, and affects no other page', async () => {
    const rows = await constrained.sql<{ relation: string; name: string }>(
      `SELECT conrelid::regclass::text AS relation, conname AS name FROM pg_constraint WHERE conname ~ '_has_at_most_'`,
    )
    expect(rows.length).toBeGreaterThan(40)
    for (const { relation, name } of rows) {
      const [, column = '', bytes = ''] =
        new RegExp(`^${relation}_(.+)_has_at_most_(\\d+)_bytes$`).exec(name) ?? []
      const sql = set(relation, `${column} = repeat('x', ${Number(bytes) + 1})`)
      await constrained.sql(RESET_TARGETS)
      expect(await findViolation(constrained, sql), sql).toBe(name)
      await unconstrained.sql(RESET_TARGETS)
      await expectNoOtherEffect(sql)
    }
  }, 120_000)

  test('a null in a not-null column is rejected by name, and affects no other page', async () => {
    const rows = await constrained.sql<{ relation: string; column: string }>(
      `SELECT attrelid::regclass::text AS relation, attname AS column FROM pg_attribute
      JOIN pg_class c ON c.oid = attrelid WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND attnotnull
        AND attnum > 0 AND attname NOT IN ('id', 'site_id', 'article_id', 'tag_id', 'element_id')
        AND c.relname NOT IN ('changes', 'revisions', 'api_secrets', 'database_identity', 'template_publications', '_prisma_migrations')`,
    )
    for (const { relation, column } of rows) {
      const sql = set(relation, `${column} = NULL`)
      await constrained.sql(RESET_TARGETS)
      expect(await findViolation(constrained, sql), sql).toBe(`23502 ${column}`)
      await unconstrained.sql(RESET_TARGETS)
      await expectNoOtherEffect(sql)
    }
  }, 120_000)

  test('BROKEN_WRITES break each CHECK constraint except length limits, and each *_in_site constraint', async () => {
    const rows = await constrained.sql<{ name: string }>(
      `SELECT conname AS name FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND (contype = 'c'
        AND conname !~ '_has_at_most_' AND conrelid::regclass::text <> 'database_identity' OR conname ~ '_in_site$')`,
    )
    const named = new Set(BROKEN_WRITES.map(([rule]: BrokenWrite) => rule))
    expect(rows.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([])
  })
})

test('an omitted value is logged once for several requests, with its metric, and counted by /readyz', async () => {
  await unconstrained.sql(RESET_TARGETS)
  await unconstrained.sql(`UPDATE articles SET slug = 'A_B' WHERE id = ${TARGET_ID}`)
  const request = async (path: string) => (await api.request(`/public/v2/sites/1/${path}`)).text()
  const findLines = () =>
    api.lines.filter(({ omission }) => (omission as { id?: number } | undefined)?.id === TARGET_ID)
  const before = findLines().length
  for (const path of ['lists?kind=recent', 'lists?kind=featured', 'sitemap', 'lists?kind=recent'])
    await request(path)
  const logged = findLines().slice(before)
  expect(logged.map(({ omission }) => omission)).toEqual([
    expect.objectContaining({ table: 'articles', id: TARGET_ID, field: 'slug', site_id: 1 }),
  ])
  expect(logged[0]).toMatchObject({
    Omissions: 1,
    _aws: { CloudWatchMetrics: [{ Namespace: 'cms-edge' }] },
  })
  const ready = (await (await api.request('/readyz')).json()) as { omissions: number }
  expect(ready.omissions).toBeGreaterThanOrEqual(1)
})
