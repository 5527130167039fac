import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Problem } from '../contract/problem.ts'
import {
  type Ask,
  createFixture,
  type Fixture,
  type Instance,
  PREVIEW_SECRET,
} from './testing/fixture.ts'
import { fillNewsroom } from './testing/newsroom.ts'

let fixture: Fixture
let api: Instance

beforeAll(async () => {
  fixture = await createFixture()
  await fillNewsroom(fixture)
  api = fixture.start()
})
afterAll(() => fixture.close())

const V2 = '/public/v2'
const ALPHA = `${V2}/sites/1`
const PREVIEW = { 'x-cms-preview': PREVIEW_SECRET }

type Row = [sentence: string, path: string, expected: unknown, ask?: Ask]

/** Each row: what the specification says, a request, and what its answer holds. */
const suite = (name: string, read: (response: Response) => unknown, rows: Row[]) =>
  describe(name, () => {
    test.each(rows)('%s: %s', async (_sentence, path, expected, ask) => {
      expect(await read(await api.ask(path, ask))).toEqual(expected)
    })
  })

const body = (response: Response) => response.json()
const pick = (read: (value: any) => unknown) => async (response: Response) => {
  expect(response.status).toBe(200)
  return read(await response.json())
}
const slugs = pick(({ items }) => items.map((item: { slug: string }) => item.slug))

suite(
  'refusals',
  async (response) => [response.status, ((await response.json()) as Problem).code],
  [
    ['no key', `${V2}/ping`, [401, 'unauthorized'], { key: null }],
    ['a wrong key', `${V2}/ping`, [401, 'unauthorized'], { key: 'wrong' }],
    [
      'another scheme',
      `${V2}/ping`,
      [401, 'unauthorized'],
      { key: null, headers: { authorization: 'Basic eDp5' } },
    ],
    ['the key comes before the path', '/nothing', [401, 'unauthorized'], { key: null }],
    [
      'the key comes before the method',
      `${V2}/ping`,
      [401, 'unauthorized'],
      { key: null, method: 'POST' },
    ],
    ['documentation needs the key too', '/docs', [401, 'unauthorized'], { key: null }],
    ['an unknown path', '/nothing', [404, 'resource_not_found']],
    ['an unknown endpoint', `${ALPHA}/nothing`, [404, 'resource_not_found']],
    [
      'a wrong method',
      `${ALPHA}/lists?kind=recent`,
      [405, 'method_not_allowed'],
      { method: 'POST' },
    ],
    [
      'OPTIONS is a wrong method',
      `${ALPHA}/settings`,
      [405, 'method_not_allowed'],
      { method: 'OPTIONS' },
    ],
    ['a path that is no UTF-8', `${V2}/sites/%ff/settings`, [400, 'validation_error']],
    ['a path with NUL', `${ALPHA}/pages/a%00b`, [400, 'validation_error']],
    ['an unknown site', `${V2}/sites/nobody/settings`, [404, 'resource_not_found']],
    ['an inactive site by id', `${V2}/sites/3/settings`, [404, 'resource_not_found']],
    ['an inactive site by acronym', `${V2}/sites/closed/sitemap`, [404, 'resource_not_found']],
    [
      'an inactive site by domain',
      `${V2}/sites/closed.example/lists?kind=recent`,
      [404, 'resource_not_found'],
    ],
    [
      'a number too large for an id',
      `${V2}/sites/99999999999999999999/settings`,
      [404, 'resource_not_found'],
    ],
    [
      'a number just too large for an id',
      `${V2}/sites/2147483648/settings`,
      [404, 'resource_not_found'],
    ],
    ['an unknown kind', `${ALPHA}/lists?kind=nothing`, [400, 'validation_error']],
    ['no kind', `${ALPHA}/lists`, [400, 'validation_error']],
    ['category without category', `${ALPHA}/lists?kind=category`, [400, 'validation_error']],
    ['author without author_slug', `${ALPHA}/lists?kind=author`, [400, 'validation_error']],
    ['related without related_to', `${ALPHA}/lists?kind=related`, [400, 'validation_error']],
    ['search without q', `${ALPHA}/lists?kind=search`, [400, 'validation_error']],
    ['q is not empty', `${ALPHA}/lists?kind=search&q=`, [400, 'validation_error']],
    [
      'q has at most 100 characters',
      `${ALPHA}/lists?kind=search&q=${'x'.repeat(101)}`,
      [400, 'validation_error'],
    ],
    ['q without NUL', `${ALPHA}/lists?kind=search&q=a%00`, [400, 'validation_error']],
    ['limit of a list from 1', `${ALPHA}/lists?kind=recent&limit=0`, [400, 'validation_error']],
    ['limit of a list to 100', `${ALPHA}/lists?kind=recent&limit=101`, [400, 'validation_error']],
    ['limit is an integer', `${ALPHA}/lists?kind=recent&limit=1.5`, [400, 'validation_error']],
    [
      'a parameter is given once',
      `${ALPHA}/lists?kind=recent&limit=1&limit=2`,
      [400, 'validation_error'],
    ],
    ['limit of the sitemap from 1', `${ALPHA}/sitemap?limit=0`, [400, 'validation_error']],
    ['limit of the sitemap to 50000', `${ALPHA}/sitemap?limit=50001`, [400, 'validation_error']],
    ['since is a date', `${ALPHA}/sitemap?since=yesterday`, [400, 'validation_error']],
    ['related_limit to 50', `${ALPHA}/pages/a1?related_limit=51`, [400, 'validation_error']],
    ['related_limit not below 0', `${ALPHA}/pages/a1?related_limit=-1`, [400, 'validation_error']],
    [
      'version from 1',
      `${ALPHA}/pages/a1?version=0`,
      [400, 'validation_error'],
      { headers: PREVIEW },
    ],
    ['version needs the secret', `${ALPHA}/pages/a1?version=1`, [403, 'forbidden']],
    [
      'version needs the right secret',
      `${ALPHA}/pages/a1?version=1`,
      [403, 'forbidden'],
      { headers: { 'x-cms-preview': 'wrong' } },
    ],
    [
      '403 does not tell whether there is such a version',
      `${ALPHA}/pages/a1?version=77`,
      [403, 'forbidden'],
    ],
    [
      'an unknown version',
      `${ALPHA}/pages/a1?version=77`,
      [404, 'resource_not_found'],
      { headers: PREVIEW },
    ],
    ['an unknown slug', `${ALPHA}/pages/nothing`, [404, 'resource_not_found']],
    [
      'an unknown slug with a language',
      `${ALPHA}/pages/nothing?language=de`,
      [404, 'resource_not_found'],
    ],
    ['a draft', `${ALPHA}/pages/draft`, [404, 'resource_not_found']],
    ['what was withdrawn', `${ALPHA}/pages/withdrawn`, [404, 'resource_not_found']],
    ['what lies ahead', `${ALPHA}/pages/scheduled`, [404, 'resource_not_found']],
    ['another type of content', `${ALPHA}/pages/advert`, [404, 'resource_not_found']],
    [
      'another type of content in preview',
      `${ALPHA}/pages/advert`,
      [404, 'resource_not_found'],
      { headers: PREVIEW },
    ],
    ['an article of another site', `${ALPHA}/pages/b1`, [404, 'resource_not_found']],
    ['an unknown author', `${ALPHA}/authors/nobody`, [404, 'resource_not_found']],
    ['an author who is not active', `${ALPHA}/authors/gone`, [404, 'resource_not_found']],
    ['an author of another site', `${V2}/sites/2/authors/jane`, [404, 'resource_not_found']],
    [
      'a list of an unknown category',
      `${ALPHA}/lists?kind=category&category=nothing`,
      [404, 'resource_not_found'],
    ],
    [
      'a list of an unknown author',
      `${ALPHA}/lists?kind=author&author_slug=nobody`,
      [404, 'resource_not_found'],
    ],
    [
      'a list of an inactive author',
      `${ALPHA}/lists?kind=author&author_slug=gone`,
      [404, 'resource_not_found'],
    ],
    [
      'a list related to nothing',
      `${ALPHA}/lists?kind=related&related_to=nothing`,
      [404, 'resource_not_found'],
    ],
    [
      'a list related to a draft',
      `${ALPHA}/lists?kind=related&related_to=draft`,
      [404, 'resource_not_found'],
    ],
    ['a cursor that is none', `${ALPHA}/lists?kind=recent&cursor=abc`, [400, 'validation_error']],
    [
      'a cursor of the sitemap that is none',
      `${ALPHA}/sitemap?cursor=abc`,
      [400, 'validation_error'],
    ],
    ['a revision that is none', `${ALPHA}/changes?after=x`, [400, 'validation_error']],
    ['v1 has the same resolver', '/public/v1/sites/closed', [404, 'resource_not_found']],
  ],
)

suite(
  'the site resolver',
  pick(({ site }) => site.id),
  [
    ['an id', `${V2}/sites/1/settings`, 1],
    ['an acronym', `${V2}/sites/alpha/settings`, 1],
    ['a domain', `${V2}/sites/alpha.example/settings`, 1],
    ['in any case', `${V2}/sites/ALPHA.Example/settings`, 1],
    ['digits that are no id are tried as acronym', `${V2}/sites/1042/settings`, 2],
    ['leading zeros are an id too', `${V2}/sites/01/settings`, 1],
  ],
)

suite(
  'settings',
  pick(({ site_settings }) => site_settings),
  [
    [
      'the site wins over the defaults, column by column',
      `${ALPHA}/settings`,
      expect.objectContaining({
        title: 'Alpha title',
        tagline: 'Global tagline',
        active_template: 'harbour',
        css_slug: 'base',
        articles_per_page: 10,
        robots_txt: 'User-agent: *',
        ads_txt: null,
        feature_flags: {},
      }),
    ],
    [
      'a site without settings has the defaults',
      `${V2}/sites/2/settings`,
      expect.objectContaining({ title: 'Global title', active_template: 'plain' }),
    ],
    [
      'languages, the default one marked',
      `${ALPHA}/settings`,
      expect.objectContaining({
        languages: [
          {
            code: 'en',
            name: 'English',
            direction: 'ltr',
            is_default: true,
            labels: { read_more: 'Read on' },
          },
          { code: 'de', name: 'Deutsch', direction: 'ltr', is_default: false, labels: {} },
        ],
      }),
    ],
  ],
)

const templates = pick(({ site_settings }) =>
  site_settings.templates.map((t: any) => [
    t.key,
    t.language,
    t.origin,
    t.fallbacks.map((f: any) => f.origin),
  ]),
)
suite('templates', templates, [
  [
    'override before block before element; a row per language that has one of its own',
    `${ALPHA}/settings`,
    [
      ['about', null, 'element', []],
      ['about', 'de', 'override', ['element']],
      ['card', null, 'block', ['element']],
      ['home', null, 'override', ['block', 'element']],
    ],
  ],
  [
    'with a language one row per key',
    `${ALPHA}/settings?language=de`,
    [
      ['about', 'de', 'override', ['element']],
      ['card', null, 'block', ['element']],
      ['home', null, 'override', ['block', 'element']],
    ],
  ],
  [
    'blocks of the own theme only',
    `${V2}/sites/2/settings`,
    [
      ['about', null, 'block', ['element']],
      ['card', null, 'element', []],
      ['home', null, 'element', []],
    ],
  ],
])

suite(
  'the language of settings',
  pick(({ site_settings: s, meta }) => [
    s.categories.map((c: any) => c.name),
    s.tags.length,
    s.navigation.length,
    meta,
  ]),
  [
    [
      'all',
      `${ALPHA}/settings`,
      [['News', 'Nachrichten', 'City'], 3, 6, { etag: null, language: null }],
    ],
    [
      'one',
      `${ALPHA}/settings?language=de`,
      [['Nachrichten'], 0, 6, { etag: null, language: 'de' }],
    ],
    [
      'another',
      `${ALPHA}/settings?language=en`,
      [['News', 'City'], 3, 5, { etag: null, language: 'en' }],
    ],
  ],
)

suite(
  'pages',
  pick((article) => [article.id, article.language]),
  [
    ['without language the default one wins', `${ALPHA}/pages/a1`, [1, 'en']],
    ['with language that one', `${ALPHA}/pages/a1?language=de`, [7, 'de']],
    ['without language what there is', `${ALPHA}/pages/nur-deutsch`, [8, 'de']],
    ['the secret shows drafts', `${ALPHA}/pages/draft`, [9, 'en'], { headers: PREVIEW }],
    [
      'the secret shows what lies ahead',
      `${ALPHA}/pages/scheduled`,
      [11, 'en'],
      { headers: PREVIEW },
    ],
    [
      'a wrong secret without version changes nothing',
      `${ALPHA}/pages/a1`,
      [1, 'en'],
      { headers: { 'x-cms-preview': 'wrong' } },
    ],
  ],
)

suite(
  'an article',
  pick((article) => article),
  [
    [
      'has everything its page shows',
      `${ALPHA}/pages/a1`,
      expect.objectContaining({
        path: '/a1',
        version: null,
        reading_time_minutes: 3,
        published_at: '2026-01-02T12:00:00.000Z',
        image: expect.objectContaining({
          url: '/cmp-media/a/b%20c.jpg',
          variants: [{ url: '/cmp-media/a/b-480.webp', width: 480 }],
        }),
        category: { slug: 'news', name: 'News', path: '/category/news' },
        tags: [
          { slug: 'sea', name: 'sea' },
          { slug: 'storm', name: 'storm' },
        ],
        author: expect.objectContaining({
          slug: 'jane',
          path: '/author/jane',
          bio_html: '<p>Writes &amp; reads.</p>',
        }),
        seo_title: 'Title of a1',
        breadcrumbs: [
          { name: 'Alpha', path: '/' },
          { name: 'News', path: '/category/news' },
          { name: 'Title of a1', path: '/a1' },
        ],
        alternates: [
          { language: 'de', slug: 'a1', path: '/de/a1' },
          { language: 'en', slug: 'a1', path: '/a1' },
        ],
      }),
    ],
    [
      'keeps only what an allow-list takes',
      `${ALPHA}/pages/a1`,
      expect.objectContaining({
        body_html: '<p>Hi <a>you</a><img src="https://img.example/x.png" /></p>',
      }),
    ],
    [
      'names no author who is not active',
      `${ALPHA}/pages/a3`,
      expect.objectContaining({ author: null }),
    ],
    [
      'walks up the categories',
      `${ALPHA}/pages/a3`,
      expect.objectContaining({
        breadcrumbs: [
          { name: 'Alpha', path: '/' },
          { name: 'News', path: '/category/news' },
          { name: 'City', path: '/category/city' },
          { name: 'Title of a3', path: '/a3' },
        ],
      }),
    ],
    [
      'of another language lives below its code',
      `${ALPHA}/pages/nur-deutsch`,
      expect.objectContaining({
        path: '/de/nur-deutsch',
        category: expect.objectContaining({ path: '/de/category/news' }),
      }),
    ],
    [
      'as a version keeps its identity and takes the business columns',
      `${ALPHA}/pages/a1?version=1`,
      expect.objectContaining({
        id: 1,
        slug: 'a1',
        version: 1,
        title: 'Old title',
        category: null,
        body_html: '<p>Old</p>',
        description: 'Title of a1'.replace('Title of', 'About'),
        published_at: '2026-01-02T12:00:00.000Z',
      }),
      { headers: PREVIEW },
    ],
  ],
)

suite(
  'related articles',
  pick(({ related }) => related.map((item: any) => item.slug)),
  [
    ['by shared tags, then category, then age', `${ALPHA}/pages/a1`, ['a2', 'a3', 'a4']],
    ['as many as asked for', `${ALPHA}/pages/a1?related_limit=1`, ['a2']],
    ['none when asked for none', `${ALPHA}/pages/a1?related_limit=0`, []],
  ],
)

suite(
  'a slug of another language',
  async (response) => [response.status, response.headers.get('link'), await response.text()],
  [
    [
      'is skipped, with a link to each that has it',
      `${ALPHA}/pages/nur-deutsch?language=en`,
      [204, '</de/nur-deutsch>; rel="alternate"; hreflang="de"', ''],
    ],
    [
      'is skipped in every language that does not have it',
      `${ALPHA}/pages/a1?language=fr`,
      [204, '</de/a1>; rel="alternate"; hreflang="de", </a1>; rel="alternate"; hreflang="en"', ''],
    ],
  ],
)

suite('authors', body, [
  [
    'an active author',
    `${ALPHA}/authors/jane`,
    {
      author: expect.objectContaining({
        id: 1,
        slug: 'jane',
        job_title: 'Editor',
        path: '/author/jane',
        bio_html: '<p>Writes &amp; reads.</p>',
      }),
      seo: {
        title: 'Jane Doe, Editor',
        description: 'Writes & reads.',
        person: {
          '@context': 'https://schema.org',
          '@type': 'Person',
          name: 'Jane Doe',
          url: 'https://alpha.example/author/jane',
          jobTitle: 'Editor',
          description: 'Writes & reads.',
          image: 'https://alpha.example/cmp-media/a/b%20c.jpg',
          sameAs: ['https://jane.example/', 'https://social.example/@jane'],
          knowsAbout: ['Ports'],
          worksFor: {
            '@type': 'NewsMediaOrganization',
            name: 'Alpha',
            url: 'https://alpha.example/',
          },
        },
      },
      stats: { article_count: 2, latest_published_at: '2026-01-03T12:00:00.000Z' },
    },
  ],
])

suite('lists', slugs, [
  [
    'recent: newest first',
    `${ALPHA}/lists?kind=recent`,
    ['a6', 'a5', 'a4', 'a3', 'nur-deutsch', 'a2', 'a1', 'a1'],
  ],
  [
    'recent, in a language',
    `${ALPHA}/lists?kind=recent&language=en`,
    ['a6', 'a5', 'a4', 'a3', 'a2', 'a1'],
  ],
  ['recent, in a language that has nothing', `${ALPHA}/lists?kind=recent&language=fr`, []],
  [
    'recent, of a month',
    `${ALPHA}/lists?kind=recent&month=2026-01&language=en`,
    ['a6', 'a5', 'a4', 'a3', 'a2', 'a1'],
  ],
  ['recent, of another month', `${ALPHA}/lists?kind=recent&month=2025-12`, []],
  ['homepage: by position, then newest', `${ALPHA}/lists?kind=homepage`, ['a4', 'a3', 'a5', 'a2']],
  [
    'category: in every language',
    `${ALPHA}/lists?kind=category&category=news`,
    ['a4', 'nur-deutsch', 'a2', 'a1', 'a1'],
  ],
  [
    'category: in one',
    `${ALPHA}/lists?kind=category&category=news&language=de`,
    ['nur-deutsch', 'a1'],
  ],
  ['author', `${ALPHA}/lists?kind=author&author_slug=jane`, ['a2', 'a1']],
  ['featured', `${ALPHA}/lists?kind=featured`, ['a5', 'a1']],
  ['trending: by score, then newest', `${ALPHA}/lists?kind=trending`, ['a2', 'a3', 'a1']],
  [
    'related: by shared tags, category, age',
    `${ALPHA}/lists?kind=related&related_to=a1`,
    ['a2', 'a3', 'a4'],
  ],
  ['related, to what has neither', `${ALPHA}/lists?kind=related&related_to=a6`, []],
  ['search in titles', `${ALPHA}/lists?kind=search&q=TITLE+OF+A2`, ['a2']],
  ['search in descriptions', `${ALPHA}/lists?kind=search&q=about+a3`, ['a3']],
  ['% is literal', `${ALPHA}/lists?kind=search&q=100%25`, ['a2']],
  ['% alone is literal', `${ALPHA}/lists?kind=search&q=%25`, ['a2']],
  ['_ is literal', `${ALPHA}/lists?kind=search&q=a_b`, ['a2']],
  ['_ alone is literal', `${ALPHA}/lists?kind=search&q=_`, ['a2']],
  ['a backslash is literal', `${ALPHA}/lists?kind=search&q=%5C`, ['a2']],
  ['a quote is nothing but a quote', `${ALPHA}/lists?kind=search&q='`, []],
  ['limit', `${ALPHA}/lists?kind=recent&limit=2`, ['a6', 'a5']],
  ['of the other site', `${V2}/sites/beta.example/lists?kind=homepage`, ['b1']],
])

suite(
  'the sitemap',
  pick(({ urls, static_pages, next_cursor }) => [
    urls.map((url: any) => url.path),
    static_pages,
    next_cursor,
  ]),
  [
    [
      'featured or on the home page, oldest first; the home page, and pages of the navigation',
      `${ALPHA}/sitemap`,
      [
        ['/a1', '/a2', '/a3', '/a4', '/a5'],
        [
          { path: '/', title: 'Alpha' },
          { path: '/about', title: 'About' },
          { path: '/de/about', title: 'Über uns' },
        ],
        null,
      ],
    ],
    [
      'since, as ISO date',
      `${ALPHA}/sitemap?since=2026-01-05`,
      [['/a4', '/a5'], expect.any(Array), null],
    ],
    [
      'since, at or after',
      `${ALPHA}/sitemap?since=2026-01-05T12:00:00Z`,
      [['/a4', '/a5'], expect.any(Array), null],
    ],
    [
      'since, with a zone',
      `${ALPHA}/sitemap?since=2026-01-05T12:00:00-00:01`,
      [['/a5'], expect.any(Array), null],
    ],
    [
      'since, as RFC 1123',
      `${ALPHA}/sitemap?since=Tue,%2006%20Jan%202026%2012:00:00%20GMT`,
      [['/a5'], expect.any(Array), null],
    ],
    [
      'static pages do not count towards the limit',
      `${ALPHA}/sitemap?limit=1`,
      [['/a1'], expect.objectContaining({ length: 3 }), expect.any(String)],
    ],
    [
      'the home page is always there',
      `${V2}/sites/2/sitemap`,
      [['/b1'], [{ path: '/', title: 'Beta' }], null],
    ],
  ],
)

const HEADERS = ['cache-control', 'vary', 'content-type'] as const
const headers = (response: Response) => [
  response.status,
  ...HEADERS.map((name) => response.headers.get(name)),
]
const JSON_TYPE = 'application/json'
const VARY = 'Accept-Encoding, Authorization'
suite('headers', headers, [
  ['ping is not cached', `${V2}/ping`, [200, 'no-store', null, JSON_TYPE]],
  [
    'settings',
    `${ALPHA}/settings`,
    [200, 'public, s-maxage=300, stale-while-revalidate=86400', VARY, JSON_TYPE],
  ],
  [
    'pages',
    `${ALPHA}/pages/a1`,
    [200, 'public, s-maxage=300, stale-while-revalidate=600', VARY, JSON_TYPE],
  ],
  [
    'authors',
    `${ALPHA}/authors/jane`,
    [200, 'public, s-maxage=300, stale-while-revalidate=600', VARY, JSON_TYPE],
  ],
  [
    'lists',
    `${ALPHA}/lists?kind=recent`,
    [200, 'public, s-maxage=120, stale-while-revalidate=600', VARY, JSON_TYPE],
  ],
  [
    'the sitemap',
    `${ALPHA}/sitemap`,
    [200, 'public, s-maxage=3600, stale-while-revalidate=3600', VARY, JSON_TYPE],
  ],
  [
    'a version is private',
    `${ALPHA}/pages/a1?version=1`,
    [200, 'private, no-store', VARY, JSON_TYPE],
    { headers: PREVIEW },
  ],
  [
    'a preview is private',
    `${ALPHA}/pages/a1`,
    [200, 'private, no-store', VARY, JSON_TYPE],
    { headers: PREVIEW },
  ],
  [
    'errors are not stored',
    `${ALPHA}/pages/nothing`,
    [404, 'no-store', null, 'application/problem+json'],
  ],
])

test('ping says ok and the time', async () => {
  const ping = await body(await api.ask(`${V2}/ping`))
  expect(ping).toEqual({ status: 'ok', time: expect.stringMatching(/^\d{4}-.*Z$/) })
})

test('a problem names every parameter at fault', async () => {
  const response = await api.ask(`${ALPHA}/lists?kind=search&limit=0&x=1`)
  const problem = Problem.parse(await response.json())
  expect(problem.errors?.map(({ name }) => name).sort()).toEqual(['limit', 'q', 'x'])
  expect(problem.request_id).toBe(response.headers.get('x-request-id'))
})

test('a refused method says which are allowed', async () => {
  const response = await api.ask(`${ALPHA}/settings`, { method: 'DELETE' })
  expect(response.headers.get('allow')).toBe('GET, HEAD')
})

test('401 carries the challenge', async () => {
  const without = await api.ask(`${V2}/ping`, { key: null })
  expect(without.headers.get('www-authenticate')).toBe('Bearer realm="cms"')
  const wrong = await api.ask(`${V2}/ping`, { key: 'wrong' })
  expect(wrong.headers.get('www-authenticate')).toBe('Bearer realm="cms", error="invalid_token"')
})

test('v1 answers who the site is, and that it goes', async () => {
  const response = await api.ask('/public/v1/sites/alpha')
  expect(await response.json()).toMatchObject({ id: 1, acronym: 'alpha', domain: 'alpha.example' })
  expect(response.headers.get('deprecation')).toMatch(/^@\d+$/)
  expect(Date.parse(response.headers.get('sunset') ?? '')).toBeGreaterThan(Date.now())
  expect(response.headers.get('link')).toBe(
    '</public/v2/sites/alpha/settings>; rel="successor-version"',
  )
  const missing = await api.ask('/public/v1/sites/nobody')
  expect(missing.headers.has('deprecation')).toBe(true)
})

test('v1 can be taken away', async () => {
  const later = fixture.start({ v1Enabled: false })
  expect((await later.ask('/public/v1/sites/alpha')).status).toBe(404)
})

test('cursors lead through a list and are good for nothing else', async () => {
  const page = async (path: string) => (await api.ask(path)).json() as Promise<any>
  const { next_cursor: cursor } = await page(`${ALPHA}/lists?kind=recent&limit=2`)
  const next = await page(`${ALPHA}/lists?kind=recent&limit=2&cursor=${cursor}`)
  expect(next.items.map((item: any) => item.slug)).toEqual(['a4', 'a3'])
  const foreign = [
    '1/lists?kind=homepage',
    '1/lists?kind=recent&language=en',
    '2/lists?kind=recent',
    '1/sitemap?limit=2',
  ]
  for (const path of foreign) {
    const joint = path.includes('?') ? '&' : '?'
    const response = await api.ask(`${V2}/sites/${path}${joint}cursor=${cursor}`)
    expect([path, response.status]).toEqual([path, 400])
  }
  const forged = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`
  expect((await api.ask(`${ALPHA}/lists?kind=recent&cursor=${forged}`)).status).toBe(400)
})

test('a row that breaks the contract is a 500 that tells nothing; the log names the field', async () => {
  await fixture.insert('authors', {
    site_id: 1,
    slug: 'bad',
    name: 'Bad',
    website_url: 'javascript:x()',
  })
  const response = await api.ask(`${ALPHA}/authors/bad`)
  const problem = Problem.parse(await response.json())
  expect([response.status, problem.code]).toEqual([500, 'internal_error'])
  expect(JSON.stringify(problem)).not.toContain('website')
  const line = api.lines.find((each) => 'err' in each && each.request_id === problem.request_id)
  expect(String(line?.err)).toContain('author.website_url')
})
