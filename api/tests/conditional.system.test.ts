import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFixture, type Fixture, type Instance, type RequestSettings } from './fixture.ts'
import { fillNewsroom, insertArticle } from './newsroom.ts'

let fixture: Fixture
let api: Instance

beforeAll(async () => {
  fixture = await createFixture()
  await fillNewsroom(fixture)
  // Right after a change, Last-Modified is one second earlier than the change, so the changes must be older.
  await fixture.sql(`UPDATE revisions SET revised_at = now() - interval '1 hour'`)
  api = fixture.start()
})
afterAll(() => fixture.close())

const ALPHA = '/public/v2/sites/alpha'
const LIST = `${ALPHA}/lists?kind=recent`
const ENDPOINTS = [
  `${ALPHA}/settings`,
  `${ALPHA}/pages/a1`,
  `${ALPHA}/authors/jane`,
  LIST,
  `${ALPHA}/sitemap`,
  `${ALPHA}/changes`,
]
const headerOf = (response: Response, name: string): string => response.headers.get(name) ?? ''
/** Request with the Last-Modified of a response as If-Modified-Since. */
const since = (response: Response): RequestSettings => ({
  headers: { 'if-modified-since': headerOf(response, 'last-modified') },
})

describe.each(ENDPOINTS)('%s', (path) => {
  test('returns 304 for its own validators, with the headers of the 200', async () => {
    const full = await api.request(path)
    const etag = headerOf(full, 'etag')
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
    for (const headers of [{ 'if-none-match': etag }, since(full).headers ?? {}]) {
      const response = await api.request(path, { headers })
      expect(response.status).toBe(304)
      expect(await response.text()).toBe('')
      for (const name of ['etag', 'last-modified', 'cache-control', 'vary', 'cms-next-change'])
        expect(response.headers.get(name), name).toBe(full.headers.get(name))
    }
  })

  test('responds to HEAD like GET without the body', async () => {
    const get = await api.request(path)
    const head = await api.request(path, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    const length = Buffer.byteLength(await get.text())
    expect([head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
      String(length),
      get.headers.get('etag'),
    ])
  })

  test('has a Last-Modified that is not in the future', async () => {
    const response = await api.request(path)
    expect(Date.parse(headerOf(response, 'last-modified'))).toBeLessThanOrEqual(Date.now())
  })
})

test.each<[string, number, (etag: string, date: string) => Record<string, string>]>([
  ['a list with the tag', 304, (etag) => ({ 'if-none-match': `"x", ${etag}` })],
  ['the strong form of the tag', 304, (etag) => ({ 'if-none-match': etag.slice(2) })],
  ['any tag', 304, () => ({ 'if-none-match': '*' })],
  ['another tag', 200, () => ({ 'if-none-match': 'W/"x"' })],
  ['a tag with a comma inside', 304, (etag) => ({ 'if-none-match': `"a,b", ${etag}` })],
  [
    'another tag and a date that would match',
    200,
    (_, date) => ({ 'if-none-match': '"x"', 'if-modified-since': date }),
  ],
  [
    'a date before the last change',
    200,
    () => ({ 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
  ],
  ['an invalid date', 200, () => ({ 'if-modified-since': 'yesterday' })],
])('a request with %s gets a %d', async (_, status, toHeaders) => {
  const full = await api.request(LIST)
  const headers = toHeaders(headerOf(full, 'etag'), headerOf(full, 'last-modified'))
  expect((await api.request(LIST, { headers })).status).toBe(status)
})

test('errors take precedence over validators', async () => {
  const headers = { 'if-none-match': '*' }
  expect((await api.request(`${ALPHA}/pages/nothing`, { headers })).status).toBe(404)
  expect((await api.request(LIST, { headers, key: 'wrong' })).status).toBe(401)
})

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('a response in %s has the same content and the same tag', async (coding, decode) => {
  const plain = await api.request(LIST)
  const compressed = await api.request(LIST, { headers: { 'accept-encoding': coding } })
  expect(compressed.headers.get('content-encoding')).toBe(coding)
  expect(compressed.headers.get('etag')).toBe(plain.headers.get('etag'))
  const bytes = Buffer.from(await compressed.arrayBuffer())
  expect(bytes.length).toBe(Number(compressed.headers.get('content-length')))
  expect(decode(bytes).toString()).toBe(await plain.text())
})

test('CMS-Next-Change names the next publication, in a 404 of a page too', async () => {
  const [row] = await fixture.sql<{ next: Date }>(
    `SELECT min(published_at) AS next FROM articles WHERE published_at > now() AND status = 'published'`,
  )
  const response = await api.request(LIST)
  expect(headerOf(response, 'cms-next-change')).toBe(row?.next.toISOString())
  const missing = await api.request('/public/v2/sites/alpha/pages/no-such-article')
  expect(missing.status).toBe(404)
  expect(headerOf(missing, 'cms-next-change')).toBe(row?.next.toISOString())
})

// After each change, a request sends only the Last-Modified of the response from before the change.
describe('If-Modified-Since without a tag never hides a change', () => {
  test.each([
    ['a title', LIST, `UPDATE articles SET title = title || '!' WHERE id = 2`],
    ['a deletion', LIST, 'DELETE FROM articles WHERE id = 6'],
    ['an unpublished article', LIST, `UPDATE articles SET status = 'unpublished' WHERE id = 5`],
    [
      'a publication with an earlier date',
      LIST,
      `UPDATE articles SET status = 'published' WHERE id = 9`,
    ],
    [
      'a score',
      `${ALPHA}/lists?kind=trending`,
      'UPDATE article_scores SET score = score + 50 WHERE article_id = 1',
    ],
    ['a tag', `${ALPHA}/pages/a1`, 'DELETE FROM article_tags WHERE article_id = 1 AND tag_id = 1'],
    ['the name of a category', LIST, `UPDATE categories SET name = 'Latest' WHERE id = 1`],
    ['an author who becomes inactive', LIST, 'UPDATE authors SET active = false WHERE id = 1'],
    ['an author who becomes active', LIST, 'UPDATE authors SET active = true WHERE id = 1'],
    ['a picture', `${ALPHA}/pages/a1`, `UPDATE images SET alt = 'Another' WHERE id = 1`],
    ['global settings', `${ALPHA}/settings`, `UPDATE global_settings SET tagline = 'Another'`],
    [
      'a template that all sites share',
      `${ALPHA}/settings`,
      `UPDATE template_elements SET source = 'new' WHERE id = 2`,
    ],
    [
      'a block of the theme',
      `${ALPHA}/settings`,
      `UPDATE template_blocks SET source = 'new' WHERE id = 2`,
    ],
    [
      'an override',
      `${ALPHA}/settings`,
      `UPDATE template_overrides SET source = 'new' WHERE id = 1`,
    ],
    ['the navigation', `${ALPHA}/sitemap`, `DELETE FROM navigation_items WHERE path = '/about'`],
    ["the site's name", `${ALPHA}/pages/a1`, `UPDATE sites SET name = 'Alpha Times' WHERE id = 1`],
  ])('%s', async (_name, path, change) => {
    const before = await api.request(path)
    await fixture.sql(change)
    const after = await api.request(path, since(before))
    expect(after.status).toBe(200)
    expect(headerOf(after, 'etag')).not.toBe(headerOf(before, 'etag'))
    expect(Date.parse(headerOf(after, 'last-modified'))).toBeGreaterThanOrEqual(
      Date.parse(headerOf(before, 'last-modified')),
    )
  })

  test('two changes within one second', async () => {
    for (let i = 0; i < 5; i++) {
      const before = await api.request(LIST)
      await fixture.sql(`UPDATE articles SET title = 'Title ${i}' WHERE id = 2`)
      expect((await api.request(LIST, since(before))).status).toBe(200)
    }
  })

  test('a scheduled article that becomes visible', async () => {
    await fixture.sql(`UPDATE revisions SET revised_at = now() - interval '1 minute'`)
    await insertArticle(fixture, { slug: 'soon', published_at: new Date(Date.now() + 1500) })
    const before = await api.request(LIST)
    expect(await before.text()).not.toContain('"soon"')
    const isVisible = async () => (await (await api.request(LIST)).text()).includes('"soon"')
    await expect.poll(isVisible, { timeout: 5000, interval: 20 }).toBe(true)
    const after = await api.request(LIST, since(before))
    expect(after.status).toBe(200)
    await fixture.sql(`UPDATE articles SET title = 'Changed' WHERE slug = 'soon'`)
    expect((await api.request(LIST, since(after))).status).toBe(200)
  })

  test('a domain that moves to another site', async () => {
    const path = '/public/v2/sites/alpha.example/settings'
    const before = await api.request(path)
    await fixture.sql(`UPDATE sites SET domain = 'old.example' WHERE id = 1`)
    await fixture.sql(`UPDATE sites SET domain = 'alpha.example' WHERE id = 2`)
    const after = await api.request(path, since(before))
    expect([after.status, (await after.json()) as unknown]).toMatchObject([
      200,
      { site: { id: 2 } },
    ])
  })
})
