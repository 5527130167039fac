import { expect } from 'vitest'
import { ArticlePage } from '../../contract/article.ts'
import { PREVIEW_SECRET } from '../tests/fixture.ts'
import { describeRequests, readBody, useNewsroom } from '../tests/suite.ts'

const newsroom = useNewsroom()
const PREVIEW = { headers: { 'x-cms-preview': PREVIEW_SECRET } }
const WRONG_SECRET = { headers: { 'x-cms-preview': 'wrong' } }

describeRequests(
  'the article of a slug',
  newsroom,
  readBody(ArticlePage, ({ id, language }) => `${id} ${language}`),
  [
    ['without a language, in the default language', 'pages/a1', '1 en'],
    ['with a language, in that language', 'pages/a1?language=de', '7 de'],
    [
      'without a language, in another one if the default language has none',
      'pages/nur-deutsch',
      '8 de',
    ],
    ['the secret shows drafts', 'pages/draft', '9 en', PREVIEW],
    ['the secret shows scheduled articles', 'pages/scheduled', '11 en', PREVIEW],
    ['a wrong secret without a version is ignored', 'pages/a1', '1 en', WRONG_SECRET],
  ],
)

const crumb = (name: string, path: string) => ({ name, path })

describeRequests('an article', newsroom, readBody(ArticlePage), [
  [
    'has all data of its page',
    'pages/a1',
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
      tags: ['sea', 'storm'].map((slug) => ({ slug, name: slug })),
      author: expect.objectContaining({
        path: '/author/jane',
        bio_html: '<p>Writes &amp; reads.</p>',
      }),
      seo_title: 'Title of a1',
      breadcrumbs: [
        crumb('Alpha', '/'),
        crumb('News', '/category/news'),
        crumb('Title of a1', '/a1'),
      ],
      alternates: [
        { language: 'de', slug: 'a1', path: '/de/a1' },
        { language: 'en', slug: 'a1', path: '/a1' },
      ],
    }),
  ],
  [
    'has only HTML on the allow-list',
    'pages/a1',
    expect.objectContaining({
      body_html: '<p>Hi <a>you</a><img src="https://img.example/x.png" /></p>',
    }),
  ],
  [
    'has no author if the author is inactive',
    'pages/a3',
    expect.objectContaining({ author: null }),
  ],
  [
    'has breadcrumbs for all parent categories',
    'pages/a3',
    expect.objectContaining({
      breadcrumbs: [
        crumb('Alpha', '/'),
        crumb('News', '/category/news'),
        crumb('City', '/category/city'),
        crumb('Title of a3', '/a3'),
      ],
    }),
  ],
  [
    'in another language has a path below the language code',
    'pages/nur-deutsch',
    expect.objectContaining({
      path: '/de/nur-deutsch',
      category: expect.objectContaining({ path: '/de/category/news' }),
    }),
  ],
  [
    'at a version has the content of its snapshot, and id and slug of the live article',
    'pages/a1?version=1',
    expect.objectContaining({
      id: 1,
      slug: 'a1',
      version: 1,
      title: 'Old title',
      category: null,
      body_html: '<p>Old</p>',
      description: 'About a1',
      published_at: '2026-01-02T12:00:00.000Z',
    }),
    PREVIEW,
  ],
])

describeRequests(
  'related articles',
  newsroom,
  readBody(ArticlePage, ({ related }) => related.map(({ slug }) => slug)),
  [
    ['by shared tags, then category, then age', 'pages/a1', ['a2', 'a3', 'a4']],
    ['at most related_limit', 'pages/a1?related_limit=1', ['a2']],
    ['none with a related_limit of 0', 'pages/a1?related_limit=0', []],
  ],
)

const readStatusLinkAndBody = async (response: Response) => [
  response.status,
  response.headers.get('link'),
  await response.text(),
]
describeRequests('a slug of another language', newsroom, readStatusLinkAndBody, [
  [
    'is a 204 with a link to the only language',
    'pages/nur-deutsch?language=en',
    [204, '</de/nur-deutsch>; rel="alternate"; hreflang="de"', ''],
  ],
  [
    'is a 204 with links to all languages',
    'pages/a1?language=fr',
    [204, '</de/a1>; rel="alternate"; hreflang="de", </a1>; rel="alternate"; hreflang="en"', ''],
  ],
])
