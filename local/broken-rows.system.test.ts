import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestLocal } from './lib/local-request.ts'
import { copyProject, type Project, type RunningCloud, startProject } from './testing/project.ts'

const HOST = 'stage.localhost'
const ARTICLE = '/the-tram-that-nobody-wanted-is-full'
/** Longest time from a commit until a page that is requested every second shows it, in milliseconds. */
const MAX_DELAY_MS = 15_000

let project: Project
let cloud: RunningCloud
let client: pg.Client

beforeAll(async () => {
  project = await copyProject()
  cloud = await startProject(project, ['--env', 'site-stage', 'media-stage'])
  client = new pg.Client(cloud.env.SITE_STAGE_DATABASE_URL)
  await client.connect()
  // Drops all check constraints, because the database of another CMS does not have them.
  await client.query(`DO $$ DECLARE rule record; BEGIN
    FOR rule IN SELECT conrelid::regclass AS relation, conname FROM pg_constraint
      WHERE contype = 'c' AND connamespace = 'public'::regnamespace
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', rule.relation, rule.conname); END LOOP;
  END $$`)
}, 180_000)
afterAll(async () => {
  await client?.end()
  await cloud?.interrupt('SIGKILL')
  await project?.remove()
})

const fetchPage = async (path: string): Promise<string> =>
  (await cloud.get(HOST, path)).body.toString()

/** Requests a page every second until it matches; returns the milliseconds since the call. */
async function timeUntil(path: string, matches: (html: string) => boolean): Promise<number> {
  const start = performance.now()
  while (!matches(await fetchPage(path))) {
    const elapsed = performance.now() - start
    if (elapsed > MAX_DELAY_MS) throw new Error(`${path} is unchanged after ${elapsed} ms.`)
    await sleep(1000)
  }
  return performance.now() - start
}

/** Edits an article's title; returns the milliseconds until its page shows the title. */
async function timeEdit(title: string): Promise<number> {
  await client.query('UPDATE articles SET title = $1 WHERE slug = $2', [title, ARTICLE.slice(1)])
  return timeUntil(ARTICLE, (html) => html.includes(title))
}

async function fetchHealthStatus(): Promise<number> {
  const { port, env } = cloud
  const headers = { authorization: `Bearer ${env.SITE_STAGE_ADMIN_PURGE_SECRET}` }
  const url = `http://${HOST}:${port}/__cms/health?deep=1`
  return (await requestLocal(url, { headers })).status
}

test('an empty path in the navigation breaks no page and delays no update', async () => {
  await client.query(`UPDATE navigation_items SET path = '' WHERE id = 2`)
  expect(await timeEdit('After an empty path')).toBeLessThan(MAX_DELAY_MS)
  for (const path of ['/', ARTICLE, '/category/port', '/feed.xml', '/sitemap.xml'])
    expect((await cloud.get(HOST, path)).status, path).toBe(200)
  expect(await fetchHealthStatus()).toBe(200)
}, 60_000)

test('an article with an invalid slug, inserted and deleted, delays no update', async () => {
  await client.query(`INSERT INTO articles (site_id, slug, language, title, content_type, status, published_at)
    SELECT site_id, 'a_b', language, 'Invalid slug', content_type, status, published_at
    FROM articles WHERE slug = '${ARTICLE.slice(1)}'`)
  expect(await timeEdit('Beside an invalid slug')).toBeLessThan(MAX_DELAY_MS)
  await client.query(`DELETE FROM articles WHERE slug = 'a_b'`)
  expect(await timeEdit('After its deletion')).toBeLessThan(MAX_DELAY_MS)
  expect(await fetchHealthStatus()).toBe(200)
}, 90_000)

test('without constraints, an unpublished article still disappears from the related articles of others', async () => {
  const page = await fetchPage(ARTICLE)
  const slugs = [...page.matchAll(/href="\/([a-z0-9-]+)"/g)].map(([, slug = '']) => slug)
  const { rows } = await client.query<{ slug: string }>(
    `SELECT slug FROM articles WHERE slug = ANY($1) AND status = 'published' AND slug <> $2`,
    [slugs, ARTICLE.slice(1)],
  )
  const related = rows[0]?.slug ?? ''
  expect(related, 'the page shows a related article').not.toBe('')
  await client.query(`UPDATE articles SET status = 'draft' WHERE slug = $1`, [related])
  const elapsed = await timeUntil(ARTICLE, (html) => !html.includes(`href="/${related}"`))
  expect(elapsed).toBeLessThan(MAX_DELAY_MS)
}, 60_000)
