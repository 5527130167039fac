import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ChangesResponse } from '../../contract/changes.ts'
import { createFixture, type Fixture, type Instance } from '../tests/fixture.ts'
import { fillNewsroom } from '../tests/newsroom.ts'

let fixture: Fixture
let api: Instance

beforeAll(async () => {
  fixture = await createFixture()
  await fillNewsroom(fixture)
  api = fixture.start()
})
afterAll(() => fixture.close())

async function readChanges(query = '', site = '1'): Promise<ChangesResponse> {
  const response = await api.request(`/public/v2/sites/${site}/changes${query}`)
  expect(response.status).toBe(200)
  return ChangesResponse.parse(await response.json())
}

const A2 = {
  slug: 'a2',
  language: 'en',
  category_slug: 'news',
  author_slug: 'jane',
  month: '2026-01',
}
const NO_CHANGES = { reset: false, settings: false, scores: false, articles: [] }

test.each<[string, string, object]>([
  ['no change', 'SELECT 1', NO_CHANGES],
  [
    'an edit',
    `UPDATE articles SET title = 'New' WHERE id = 2`,
    { ...NO_CHANGES, articles: [{ id: 2, before: A2, after: A2 }] },
  ],
  [
    'a new slug and category',
    `UPDATE articles SET slug = 'a2-b', category_id = 3 WHERE id = 2`,
    {
      ...NO_CHANGES,
      articles: [{ id: 2, before: A2, after: { ...A2, slug: 'a2-b', category_slug: 'city' } }],
    },
  ],
  [
    'a publication',
    `UPDATE articles SET status = 'published' WHERE id = 9`,
    {
      ...NO_CHANGES,
      articles: [
        {
          id: 9,
          before: null,
          after: {
            slug: 'draft',
            language: 'en',
            category_slug: null,
            author_slug: null,
            month: '2026-01',
          },
        },
      ],
    },
  ],
  [
    'an article that becomes a draft again',
    `UPDATE articles SET status = 'draft' WHERE id = 9`,
    {
      ...NO_CHANGES,
      articles: [
        {
          id: 9,
          before: {
            slug: 'draft',
            language: 'en',
            category_slug: null,
            author_slug: null,
            month: '2026-01',
          },
          after: null,
        },
      ],
    },
  ],
  ['an edit of a draft', `UPDATE articles SET title = 'New' WHERE id = 9`, NO_CHANGES],
  [
    'an edit of the settings of the site',
    `UPDATE site_settings SET tagline = 'New' WHERE site_id = 1`,
    { ...NO_CHANGES, settings: true },
  ],
  [
    'an edit of settings that all sites share',
    `UPDATE global_settings SET tagline = 'Newer'`,
    { ...NO_CHANGES, settings: true },
  ],
  ['an edit of another site', `UPDATE articles SET title = 'New' WHERE site_id = 2`, NO_CHANGES],
])('the API reports the changes after %s', async (_, change, expected) => {
  const { revision } = await readChanges()
  await fixture.sql(change)
  const response = await readChanges(`?after=${revision}`)
  expect(response).toMatchObject(expected)
  expect(await readChanges(`?after=${response.revision}`)).toEqual({
    ...NO_CHANGES,
    revision: response.revision,
    restore_id: response.restore_id,
  })
})

test('a response ends with the revision that reaches its limit, and the next one continues', async () => {
  let { revision } = await readChanges()
  for (const id of [2, 3, 4])
    await fixture.sql(`UPDATE articles SET title = title || '.' WHERE id = $1`, [id])
  await fixture.sql(`UPDATE articles SET title = title || '.' WHERE id IN (5, 6)`)
  const seen: number[][] = []
  for (let i = 0; i < 4; i++) {
    const response = await readChanges(`?after=${revision}&limit=1`)
    seen.push(response.articles.map(({ id }) => id).sort())
    revision = response.revision
  }
  expect(seen).toEqual([[2], [3], [4], [5, 6]])
  expect((await readChanges()).revision).toBe(revision)
})

test('a revision that was pruned from the log causes a reset', async () => {
  const { revision: pruned } = await readChanges()
  await fixture.sql(`UPDATE articles SET title = 'Lost' WHERE id = 2`)
  const { revision: newest } = await readChanges()
  await fixture.sql(
    `UPDATE revisions SET revised_at = now() - interval '8 days' WHERE site_id = 1 AND revision < $1`,
    [Number(newest.split('.')[0])],
  )
  // This edit prunes the revisions that are older than seven days.
  await fixture.sql(`UPDATE articles SET title = 'Kept' WHERE id = 2`)
  expect(await readChanges(`?after=${pruned}`)).toMatchObject({ reset: true, settings: true })
  expect(await readChanges(`?after=${newest}`)).toMatchObject({
    reset: false,
    articles: [expect.objectContaining({ id: 2 })],
  })
})

test('a revision greater than the newest one causes a reset', async () => {
  expect(await readChanges('?after=999999.0')).toMatchObject({ reset: true })
})

test('a restored database causes a reset for callers with the earlier restore_id', async () => {
  const { revision, restore_id } = await readChanges()
  expect(await readChanges(`?after=${revision}&restore_id=${restore_id}`)).toMatchObject(NO_CHANGES)
  await fixture.sql('SELECT renew_restore_id()')
  const response = await readChanges(`?after=${revision}&restore_id=${restore_id}`)
  expect(response).toMatchObject({ reset: true })
  expect(response.restore_id).not.toBe(restore_id)
})

describe('related articles and translations', () => {
  /** Slugs of the articles that list article 2 as related. */
  const RELATED = ['a1', 'a3', 'a4']
  const readChangeAfter = async (sql: string) => {
    const { revision } = await readChanges()
    await fixture.sql(sql)
    const { articles } = await readChanges(`?after=${revision}`)
    const { related = [], alternates = [] } = articles[0] ?? {}
    return { related: related.map(({ slug }) => slug).toSorted(), alternates }
  }

  beforeAll(() =>
    fixture.sql(
      `UPDATE articles SET slug = 'a2', category_id = 1, status = 'published' WHERE id = 2`,
    ),
  )

  test.each([
    ['a new title', RELATED, `UPDATE articles SET title = 'Other' WHERE id = 2`],
    ['another picture', RELATED, 'UPDATE articles SET image_id = NULL WHERE id = 2'],
    ['a new slug', RELATED, `UPDATE articles SET slug = 'a2-c' WHERE id = 2`],
    ['another text', [], `UPDATE articles SET body_html = 'x' WHERE id = 2`],
    ['unpublishing', RELATED, `UPDATE articles SET status = 'unpublished' WHERE id = 2`],
    ['publishing', [], `UPDATE articles SET status = 'published' WHERE id = 2`],
    ['a deletion', RELATED, 'DELETE FROM articles WHERE id = 2'],
  ])('after %s, these articles may list the article as related: %j', async (_, expected, sql) => {
    expect((await readChangeAfter(sql)).related).toEqual(expected)
  })

  test.each([
    ['an edit', `UPDATE articles SET body_html = 'y' WHERE id = 1`],
    ['a new slug', `UPDATE articles SET slug = 'a1-b' WHERE id = 1`],
    [
      'an article that leaves its translation group',
      'UPDATE articles SET translation_group = gen_random_uuid() WHERE id = 1',
    ],
  ])('the change for %s includes the translations of the article', async (_, sql) => {
    expect((await readChangeAfter(sql)).alternates).toEqual([{ slug: 'a1', language: 'de' }])
  })

  test('the change for a deletion includes the translations of the article', async () => {
    await fixture.sql(`UPDATE articles SET translation_group = de.translation_group
      FROM articles de WHERE articles.id = 1 AND de.slug = 'a1' AND de.language = 'de'`)
    const { alternates } = await readChangeAfter('DELETE FROM articles WHERE id = 1')
    expect(alternates).toEqual([{ slug: 'a1', language: 'de' }])
  })
})

test('refreshed scores are reported without other changes', async () => {
  const { revision } = await readChanges()
  await fixture.sql('UPDATE article_scores SET score = score + 1')
  expect(await readChanges(`?after=${revision}`)).toMatchObject({ ...NO_CHANGES, scores: true })
})
