import { expect } from 'vitest'
import { ArticlePage } from '../../contract/article.ts'
import { PREVIEW_SECRET } from '../tests/fixture.ts'
import { describeRequests, readBody, useNewsroom } from '../tests/suite.ts'

const newsroom = useNewsroom()
const PREVIEW = { headers: { 'x-cms-preview': PREVIEW_SECRET } }
const WRONG_SECRET = { headers: { 'x-cms-preview': 'wrong' } }

describeRequests(
  'which article',
  newsroom,
  readBody(ArticlePage, ({ id, language }) => `${id} ${language}`),
  [
    ['without language the default one wins', 'pages/a1', '1 en'],
    ['with language that one', 'pages/a1?language=de', '7 de'],
    ['without language what there is', 'pages/nur-deutsch', '8 de'],
    ['the secret shows drafts', 'pages/draft', '9 en', PREVIEW],
    ['the secret shows what lies ahead', 'pages/scheduled', '11 en', PREVIEW],
    ['a wrong secret without version changes nothing', 'pages/a1', '1 en', WRONG_SECRET],
  ],
)

const crumb = (name: string, path: string) => ({ name, path })

describeRequests('an article', newsroom, readBody(ArticlePage), [
  [
    'has everything its page shows',
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
    'keeps only what an allow-list takes',
    'pages/a1',
    expect.objectContaining({
      body_html: '<p>Hi <a>you</a><img src="https://img.example/x.png" /></p>',
    }),
  ],
  ['names no author who is not active', 'pages/a3', expect.objectContaining({ author: null })],
  [
    'walks up the categories',
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
    'of another language lives below its code',
    'pages/nur-deutsch',
    expect.objectContaining({
      path: '/de/nur-deutsch',
      category: expect.objectContaining({ path: '/de/category/news' }),
    }),
  ],
  [
    'as a version keeps its identity and takes the business columns',
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
  'related',
  newsroom,
  readBody(ArticlePage, ({ related }) => related.map(({ slug }) => slug)),
  [
    ['by shared tags, then category, then age', 'pages/a1', ['a2', 'a3', 'a4']],
    ['at most limit', 'pages/a1?related_limit=1', ['a2']],
    ['none with a limit of 0', 'pages/a1?related_limit=0', []],
  ],
)

const skip = async (response: Response) => [
  response.status,
  response.headers.get('link'),
  await response.text(),
]
describeRequests('a slug of another language', newsroom, skip, [
  [
    'is skipped, with a link to the one that has it',
    'pages/nur-deutsch?language=en',
    [204, '</de/nur-deutsch>; rel="alternate"; hreflang="de"', ''],
  ],
  [
    'is skipped, with a link to each that has it',
    'pages/a1?language=fr',
    [204, '</de/a1>; rel="alternate"; hreflang="de", </a1>; rel="alternate"; hreflang="en"', ''],
  ],
])
