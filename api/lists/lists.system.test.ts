import { expect, test } from 'vitest'
import { ListResponse } from '../../contract/list.ts'
import { describeRequests, readBody, useNewsroom } from '../tests/suite.ts'

const newsroom = useNewsroom()
// api/tests/newsroom.ts describes the articles a1 to a6.
const slugs = readBody(ListResponse, ({ items }) => items.map(({ slug }) => slug).join(' '))

describeRequests('lists', newsroom, slugs, [
  ['recent: newest first', 'lists?kind=recent', 'a6 a5 a4 a3 nur-deutsch a2 a1 a1'],
  ['recent, in a language', 'lists?kind=recent&language=en', 'a6 a5 a4 a3 a2 a1'],
  ['recent, in a language without articles', 'lists?kind=recent&language=fr', ''],
  ['recent, in a month', 'lists?kind=recent&month=2026-01&language=en', 'a6 a5 a4 a3 a2 a1'],
  ['recent, in another month', 'lists?kind=recent&month=2025-12', ''],
  ['homepage: by position, then newest', 'lists?kind=homepage', 'a4 a3 a5 a2'],
  ['category: in every language', 'lists?kind=category&category=news', 'a4 nur-deutsch a2 a1 a1'],
  ['category: in one language', 'lists?kind=category&category=news&language=de', 'nur-deutsch a1'],
  ['author: newest first', 'lists?kind=author&author_slug=jane', 'a2 a1'],
  ['featured: newest first', 'lists?kind=featured', 'a5 a1'],
  ['trending: by score, then newest', 'lists?kind=trending', 'a2 a3 a1'],
  ['related: by shared tags, category, age', 'lists?kind=related&related_to=a1', 'a2 a3 a4'],
  ['related to an article without tags and category', 'lists?kind=related&related_to=a6', ''],
  ['search in titles', 'lists?kind=search&q=TITLE+OF+A2', 'a2'],
  ['search in descriptions', 'lists?kind=search&q=about+a3', 'a3'],
  ['% is literal', 'lists?kind=search&q=100%25', 'a2'],
  ['% alone is literal', 'lists?kind=search&q=%25', 'a2'],
  ['_ is literal', 'lists?kind=search&q=a_b', 'a2'],
  ['_ alone is literal', 'lists?kind=search&q=_', 'a2'],
  ['a backslash is literal', 'lists?kind=search&q=%5C', 'a2'],
  ['a quote is literal', "lists?kind=search&q='", ''],
  ['a limit of two', 'lists?kind=recent&limit=2', 'a6 a5'],
  ['a list of another site', '/public/v2/sites/beta.example/lists?kind=homepage', 'b1'],
])

test('a cursor is valid only for the list from which it was returned', async () => {
  const { request } = newsroom()
  const first = ListResponse.parse(await (await request('lists?kind=recent&limit=2')).json())
  const cursor = first.next_cursor ?? ''
  expect(await slugs(await request(`lists?kind=recent&limit=2&cursor=${cursor}`))).toBe('a4 a3')
  const forged = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`
  const invalidPaths = [
    `lists?kind=homepage&cursor=${cursor}`,
    `lists?kind=recent&language=en&cursor=${cursor}`,
    `lists?kind=recent&month=2026-01&cursor=${cursor}`,
    `/public/v2/sites/2/lists?kind=recent&cursor=${cursor}`,
    `sitemap?cursor=${cursor}`,
    `lists?kind=recent&cursor=${forged}`,
    `lists?kind=recent&cursor=${cursor}=`,
  ]
  for (const path of invalidPaths) expect((await request(path)).status, path).toBe(400)
})
