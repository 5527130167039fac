import { afterAll, beforeAll, expect, test } from 'vitest'
import { Problem } from '../../contract/problem.ts'
import { createFixture, type Fixture, type Instance } from '../tests/fixture.ts'
import { fillNewsroom, insertArticle } from '../tests/newsroom.ts'

let fixture: Fixture
let api: Instance

beforeAll(async () => {
  fixture = await createFixture()
  await fillNewsroom(fixture)
  api = fixture.start()
})
afterAll(() => fixture.close())

/** Returns the status of a page; for a 404 its redirect, or undefined without one. */
async function redirectOf(slug: string, language = 'en'): Promise<unknown> {
  const response = await api.request(`/public/v2/sites/1/pages/${slug}?language=${language}`)
  return response.status === 404 ? Problem.parse(await response.json()).redirect : response.status
}

test('a new slug adds a redirect, and another new slug updates all earlier redirects', async () => {
  await fixture.sql(`UPDATE articles SET slug = 'two' WHERE slug = 'a6'`)
  expect(await redirectOf('a6')).toEqual({ status: 301, to: '/two' })
  await fixture.sql(`UPDATE articles SET slug = 'drei-ü' WHERE slug = 'two'`)
  expect(await redirectOf('a6')).toEqual({ status: 301, to: '/drei-%C3%BC' })
  expect(await redirectOf('two')).toEqual({ status: 301, to: '/drei-%C3%BC' })
})

test('an article that gets its old slug back is served at that path again', async () => {
  await fixture.sql(`UPDATE articles SET slug = 'a6' WHERE slug = 'drei-ü'`)
  expect(await redirectOf('a6')).toBe(200)
  expect(await redirectOf('two')).toEqual({ status: 301, to: '/a6' })
})

test('the slug of a deleted article and all its earlier slugs are 410, until a new article has the slug', async () => {
  await fixture.sql(`DELETE FROM articles WHERE slug = 'a6'`)
  expect(await redirectOf('a6')).toEqual({ status: 410, to: null })
  expect(await redirectOf('two')).toEqual({ status: 410, to: null })
  await insertArticle(fixture, { slug: 'a6' })
  expect(await redirectOf('a6')).toBe(200)
})

test('articles that swap their slugs in one statement get no redirect', async () => {
  // PostgreSQL checks a unique index row by row, so it would reject the swap.
  await fixture.sql(`DROP INDEX articles_site_id_slug_language_key`)
  await fixture.sql(
    `UPDATE articles SET slug = CASE slug WHEN 'a4' THEN 'a5' ELSE 'a4' END WHERE slug IN ('a4', 'a5')`,
  )
  expect([await redirectOf('a4'), await redirectOf('a5')]).toEqual([200, 200])
})

test.each([
  ['a draft', `UPDATE articles SET slug = 'draft-two' WHERE slug = 'draft'`, 'draft'],
  ['a deleted draft', `DELETE FROM articles WHERE slug = 'draft-two'`, 'draft-two'],
  [
    'a scheduled article',
    `UPDATE articles SET slug = 'later' WHERE slug = 'scheduled'`,
    'scheduled',
  ],
  ['an unpublished article', `UPDATE articles SET status = 'unpublished' WHERE slug = 'a3'`, 'a3'],
])('%s gets no redirect', async (_, sql, slug) => {
  await fixture.sql(sql)
  expect(await redirectOf(slug)).toBeUndefined()
})

test('redirects are separate for each language', async () => {
  await fixture.sql(`UPDATE articles SET slug = 'neu' WHERE slug = 'nur-deutsch'`)
  expect(await redirectOf('nur-deutsch', 'de')).toEqual({ status: 301, to: '/de/neu' })
  expect(await redirectOf('nur-deutsch')).toBeUndefined()
})

test('redirects that are inserted directly may form chains, which are resolved, but no loops', async () => {
  await fixture.sql(
    `INSERT INTO redirects VALUES (1, '/b', '/c', 302), (1, '/Old_Page.html', '/b', 301)`,
  )
  expect(await redirectOf('Old_Page.html')).toEqual({ status: 302, to: '/c' })
  await fixture.sql(`INSERT INTO redirects VALUES (1, '/c', '/d')`)
  expect(await redirectOf('b')).toEqual({ status: 302, to: '/d' })
  const loop = fixture.sql(`INSERT INTO redirects VALUES (1, '/d', '/b')`)
  await expect(loop).rejects.toMatchObject({ constraint: 'redirects_lead_elsewhere' })
})
