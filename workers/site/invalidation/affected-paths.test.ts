import { describe, expect, test } from 'vitest'
import type { ArticleChange, ArticleState } from '../../../contract/changes.ts'
import { settingsBut, templateBut } from '../tests/content.ts'
import { toAffectedPaths } from './affected-paths.ts'
import { WHOLE_HOST } from './queries.ts'

const STATE: ArticleState = {
  slug: 'a',
  language: 'en',
  category_slug: 'port',
  author_slug: 'ada',
  month: '2026-11',
}
const WITHOUT_LISTS = { ...STATE, category_slug: null, author_slug: null, month: null }
const changeBut = (changes: Partial<ArticleChange>): ArticleChange => ({
  id: 1,
  before: STATE,
  after: STATE,
  related: [],
  alternates: [],
  ...changes,
})
const affectedBy = (changes: Partial<ArticleChange>, settings = settingsBut()) =>
  toAffectedPaths({ articles: [changeBut(changes)], scores: false }, settings)
const FEEDS = ['/feed.xml', '/atom.xml', '/feed.json']

const OF_EDIT = [
  '/a',
  '/de/a',
  '/',
  '/archive/2026/11',
  '/author/ada',
  '/category/port',
  '/sitemap.xml',
  ...FEEDS,
  ...FEEDS.map((feed) => `/category/port${feed}`),
]

describe('the affected paths', () => {
  test.each<[string, Partial<ArticleChange>, string[]]>([
    ['of an edit', {}, OF_EDIT],
    ['of a new article', { before: null }, [...OF_EDIT, '/archive']],
    ['of a deleted article', { after: null }, [...OF_EDIT, '/archive']],
    [
      'of an article without category, author and month',
      { before: WITHOUT_LISTS, after: WITHOUT_LISTS },
      ['/a', '/de/a', '/', ...FEEDS, '/sitemap.xml'],
    ],
    [
      'of an article that gets another slug, language and month, and no category or author',
      { after: { ...WITHOUT_LISTS, language: 'de', slug: 'b', month: '2026-10' } },
      [
        ...OF_EDIT,
        '/archive',
        '/de/archive',
        '/de/archive/2026/10',
        '/b',
        '/de/b',
        '/de',
        ...FEEDS.map((feed) => `/de${feed}`),
      ],
    ],
    [
      'of an edit include articles that list it as related, and its translations',
      {
        related: [{ slug: 'r', language: 'en' }],
        alternates: [{ slug: 't', language: 'de' }],
      },
      [...OF_EDIT, '/r', '/de/t'],
    ],
    [
      'of an invalid slug are percent-encoded',
      { after: { ...WITHOUT_LISTS, slug: 'A b' } },
      [...OF_EDIT, '/archive', '/A%20b', '/de/A%20b'],
    ],
  ])('%s', (_, change, expected) => {
    expect(new Set(affectedBy(change))).toEqual(new Set(expected))
  })

  test('of no change are empty', () => {
    expect(toAffectedPaths({ articles: [], scores: false }, settingsBut())).toEqual([])
  })
})

describe('a template with a list tag', () => {
  const settingsWith = (template: object) => {
    const { templates } = settingsBut().site_settings
    const changed = templateBut({ key: '', ...template })
    return settingsBut({
      templates: [...templates.filter(({ key }) => key !== changed.key), changed],
    })
  }
  const source = "{%- list latest kind: 'recent' -%}"

  test.each([
    [{ type: 'page', key: 'about' }, ['/about', '/de/about']],
    [{ type: 'page', key: 'about', language: 'de' }, ['/de/about']],
    // The category page of the edited article is affected without the tag, too.
    [{ type: 'layout', key: 'category' }, []],
    [{ type: 'layout', key: 'search' }, ['/search', '/de/search']],
    [{ type: 'layout', key: 'not_found' }, ['/__cms/not-found/en', '/__cms/not-found/de']],
  ] as const)('%o is affected by every article', (template, paths) => {
    const withoutTag = affectedBy({}, settingsWith({ ...template, source: 'nothing' }))
    const withTag = affectedBy({}, settingsWith({ ...template, source }))
    expect([...withTag].filter((path) => !withoutTag.includes(path))).toEqual(paths)
    const fallbacks = [{ origin: 'element', source }]
    expect(affectedBy({}, settingsWith({ ...template, fallbacks }))).toEqual(withTag)
  })

  test.each(['document', 'article', 'author', 'archive'])(
    '%s: an article affects the whole host',
    (key) => {
      expect(affectedBy({}, settingsWith({ key, source }))).toEqual([WHOLE_HOST])
    },
  )

  test.each([
    ["{% list t kind: 'trending', limit: 5 %}", ['/', '/de', '/category/port']],
    ['{% list t kind: "trending" %}', ['/', '/de', '/category/port']],
    ['{% list t kind: chosen %}', ['/', '/de', '/category/port']],
    [source, ['/', '/de']],
  ])('%s: refreshed scores affect %j', (tag, expected) => {
    const settings = settingsWith({ key: 'category', source: tag })
    expect(toAffectedPaths({ articles: [], scores: true }, settings)).toEqual(expected)
  })
})
