import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIST_KINDS, ListResponse } from '../../contract/list.ts'
import { SitemapResponse } from '../../contract/sitemap.ts'
import { createFixture, type Fixture, type Instance } from './fixture.ts'

const ARTICLES = 400
// One article in three stays unchanged. The others are edited or deleted, and new ones are added.
const isUnchanged = (n: number): boolean => n % 3 === 0

let fixture: Fixture
let api: Instance

beforeAll(async () => {
  fixture = await createFixture()
  api = fixture.start()
  await fixture.insert('sites', {
    acronym: 'alpha',
    domain: 'a.example',
    name: 'A',
    default_language: 'en',
  })
  for (const language of ['en', 'de'])
    await fixture.insert('categories', { site_id: 1, slug: 'news', language, name: 'News' })
  await fixture.insert('authors', { site_id: 1, slug: 'jane', name: 'Jane' })
  for (const slug of ['x', 'y', 'z'])
    await fixture.insert('tags', { site_id: 1, slug, language: 'en', name: slug })
  await fixture.sql(INSERT, [0, ARTICLES])
  await fixture.sql('INSERT INTO article_scores SELECT id, 1, id % 5 FROM articles')
  await fixture.sql(`INSERT INTO article_tags
    SELECT a.id, t.id FROM articles a, tags t WHERE a.slug = 'n0' OR (a.id % (t.id + 1)) = 0`)
})
afterAll(() => fixture.close())

// Many articles share an instant, so that ids break ties.
const INSERT = `INSERT INTO articles (site_id, slug, language, status, title, description, word_count, category_id, author_id,
    is_featured, show_in_homepage, homepage_position, published_at)
  SELECT 1, 'n' || n, CASE WHEN n % 4 = 1 THEN 'de' ELSE 'en' END, 'published', 'Title ' || n, 'needle', 100,
    CASE WHEN n % 4 = 1 THEN 2 ELSE 1 END, 1, n % 2 = 0, n % 5 > 0, CASE WHEN n % 7 = 0 THEN n % 3 END,
    timestamptz '2026-01-01T00:00:00Z' + (n / 6) * interval '1 minute'
  FROM generate_series($1::integer, $2::integer - 1) AS n`

const KIND_PARAMETERS: Partial<Record<(typeof LIST_KINDS)[number], string>> = {
  category: '&category=news',
  author: '&author_slug=jane',
  related: '&related_to=n0',
  search: '&q=needle',
}
const walks = fc.record({
  query: fc.oneof(
    fc
      .record({
        kind: fc.constantFrom(...LIST_KINDS),
        language: fc.constantFrom('', '&language=en'),
      })
      .map(({ kind, language }) => `lists?kind=${kind}${KIND_PARAMETERS[kind] ?? ''}${language}`),
    fc.constantFrom('sitemap?', 'sitemap?since=2026-01-01T00:20:00Z'),
  ),
  limits: fc.array(fc.integer({ min: 5, max: 100 }), { minLength: 1, maxLength: 4 }),
})

/** Reads all pages of a list with varying limits, and calls `between` after each; returns the numbers in the slugs. */
async function walk(
  query: string,
  limits: number[],
  between: () => Promise<void>,
): Promise<number[]> {
  const seen: number[] = []
  let cursor: string | null = ''
  for (let index = 0; cursor !== null; index++) {
    const limit = limits[index % limits.length]
    const next = cursor && `&cursor=${cursor}`
    const response = await api.request(`/public/v2/sites/1/${query}&limit=${limit}${next}`)
    expect(response.status).toBe(200)
    const page = query.startsWith('lists')
      ? toPage(ListResponse.parse(await response.json()))
      : toPage(SitemapResponse.parse(await response.json()))
    seen.push(...page.numbers)
    cursor = page.next_cursor
    await between()
  }
  return seen
}

function toPage(page: ListResponse | SitemapResponse) {
  const entries = 'items' in page ? page.items : page.urls
  return {
    numbers: entries.map(({ path }) => Number(/n(\d+)$/.exec(path)?.[1])),
    next_cursor: page.next_cursor,
  }
}

/** Creates a function that adds one article, and edits and deletes at most one. Every third number stays unchanged. */
function createWriter(): () => Promise<void> {
  let step = ARTICLES
  return async () => {
    step += 1
    await fixture.sql(INSERT, [step * 3 + 1, step * 3 + 2])
    await fixture.sql(
      `UPDATE articles SET title = title || '.', published_at = published_at + interval '3 minutes'
      WHERE slug = 'n' || $1 AND status = 'published'`,
      [((step * 7) % ARTICLES) * 3 + 1],
    )
    await fixture.sql(`DELETE FROM articles WHERE slug = 'n' || $1`, [
      ((step * 11) % ARTICLES) * 3 + 2,
    ])
  }
}

test('all pages of a list together have each unchanged item exactly once, despite concurrent writes', async () => {
  const write = createWriter()
  const unchangedItems = new Map<string, number[]>()
  await fc.assert(
    fc.asyncProperty(walks, async ({ query, limits }) => {
      const expected =
        unchangedItems.get(query) ?? (await walk(query, [100], async () => {})).filter(isUnchanged)
      unchangedItems.set(query, expected)
      const seen = await walk(query, limits, write)
      expect(seen.filter(isUnchanged)).toEqual(expected)
    }),
    { numRuns: 60 },
  )
  expect(Math.max(...[...unchangedItems.values()].map(({ length }) => length))).toBeGreaterThan(100)
})

test('a page has as many items as its limit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 100 }), async (limit) => {
      const response = await api.request(`/public/v2/sites/1/lists?kind=recent&limit=${limit}`)
      expect(ListResponse.parse(await response.json()).items).toHaveLength(limit)
    }),
    { numRuns: 20 },
  )
})
