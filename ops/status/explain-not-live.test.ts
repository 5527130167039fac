import { expect, test } from 'vitest'
import type { ArticlePage } from '../../contract/article.ts'
import type { SettingsBundle } from '../../contract/settings.ts'
import type { ArticleRead, StatusEvidence, StoredArticle } from './evidence.ts'
import { explainNotLive } from './explain-not-live.ts'

const NOW = Date.parse('2026-11-22T08:00:00Z')
const PAST = '2026-11-01T08:00:00.000Z'

// `explainNotLive` reads no settings, and only these fields of an article.
const bundle = {} as SettingsBundle
const articleWith = (overrides: Partial<ArticlePage>): ArticleRead => ({
  type: 'found',
  article: { id: 1, published_at: PAST, ...overrides } as ArticlePage,
})
const rowWith = (overrides: Partial<StoredArticle>): StoredArticle => ({
  id: 1,
  status: 'published',
  content_type: 'homepage_article',
  language: 'en',
  published_at: PAST,
  ...overrides,
})
const missing: ArticleRead = { type: 'missing', redirect: undefined }
const respond = (status: number, headers: Record<string, string> = {}): StatusEvidence['page'] => ({
  type: 'responded',
  reply: { status, headers: new Headers(headers), text: '' },
})
const evidenceWith = (overrides: Partial<StatusEvidence>): StatusEvidence => ({
  path: '/bridge',
  settings: { type: 'found', bundle },
  route: { type: 'article', language: 'en', slug: 'bridge' },
  article: { visible: articleWith({}), preview: articleWith({}) },
  rows: undefined,
  page: respond(200),
  health: {},
  revision: undefined,
  omissions: undefined,
  ...overrides,
})
const previewOnly = (preview: ArticleRead) => ({ visible: missing, preview })

test.each<[name: string, overrides: Partial<StatusEvidence>, reason: string | undefined]>([
  ['a live article is undefined', {}, undefined],
  [
    'missing settings',
    { settings: { type: 'failed', reason: 'the read API responds with 404 for the settings' } },
    'the read API responds with 404 for the settings',
  ],
  [
    'a path without a route',
    { route: { type: 'not_found', language: 'en' } },
    'no route of the site matches /bridge',
  ],
  [
    'a redirect of the router',
    { route: { type: 'redirect', location: '/' } },
    '/bridge redirects to /',
  ],
  [
    'a draft, with the database',
    { article: previewOnly(articleWith({})), rows: [rowWith({ status: 'draft' })] },
    'its status is "draft"',
  ],
  [
    'a draft, without the database',
    { article: previewOnly(articleWith({})) },
    'its status is not "published"',
  ],
  [
    'an article without published_at',
    { article: previewOnly(articleWith({ published_at: null })) },
    'it has no published_at',
  ],
  [
    'a scheduled article',
    { article: previewOnly(articleWith({ published_at: '2026-12-01T08:00:00.000Z' })) },
    'it is scheduled for 2026-12-01T08:00:00.000Z',
  ],
  [
    'an article of another type',
    { article: previewOnly(missing), rows: [rowWith({ content_type: 'note' })] },
    'its content_type is "note", and only homepage_article is served',
  ],
  [
    'an unknown article, without the database',
    { article: previewOnly(missing) },
    'no article of type homepage_article of this site has the path /bridge',
  ],
  [
    'an unknown article',
    { article: previewOnly(missing), rows: [] },
    'no article of this site has the path /bridge',
  ],
  [
    'an article with a new slug',
    {
      article: {
        visible: { type: 'missing', redirect: { to: '/new', status: 301 } },
        preview: missing,
      },
    },
    'it has moved: the path redirects to /new (301)',
  ],
  [
    'a deleted article',
    {
      article: {
        visible: { type: 'missing', redirect: { to: null, status: 410 } },
        preview: missing,
      },
    },
    'it was deleted: the path responds with 410',
  ],
  [
    'an article in another language',
    { article: { visible: { type: 'other-languages', languages: ['de'] }, preview: missing } },
    'its slug is published in de only',
  ],
  [
    'a broken row',
    {
      article: {
        visible: { type: 'failed', reason: 'the read API responds with 500' },
        preview: missing,
      },
    },
    'the read API responds with 500; its log has the cause',
  ],
  [
    'a static page with the path of a published article',
    { route: { type: 'page', language: 'en', key: 'bridge' } },
    'the static page "bridge" has the same path and takes precedence over the article',
  ],
  [
    'a live static page is undefined',
    {
      route: { type: 'page', language: 'en', key: 'bridge' },
      article: previewOnly(missing),
      rows: [rowWith({ language: 'de' })],
    },
    undefined,
  ],
  [
    'a cached 404 of the worker',
    { page: respond(404, { 'cache-status': 'cms-edge; hit; ttl=12; detail=edge' }) },
    'the site worker responds with 404 (cms-edge; hit; ttl=12; detail=edge)',
  ],
  [
    'a redirect of the worker',
    { page: respond(308, { location: 'https://a.example/bridge' }) },
    'the site worker redirects to https://a.example/bridge (308)',
  ],
  [
    'an unreachable worker',
    { page: { type: 'failed', reason: 'the site worker cannot be reached: refused' } },
    'the site worker cannot be reached: refused',
  ],
])('the reason for %s', (_, overrides, reason) => {
  expect(explainNotLive(evidenceWith(overrides), NOW)).toBe(reason)
})
