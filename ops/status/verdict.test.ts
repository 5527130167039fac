import { expect, test } from 'vitest'
import type { ArticlePage } from '../../contract/article.ts'
import type { SettingsBundle } from '../../contract/settings.ts'
import type { ArticleRead, Row, StatusEvidence } from './facts.ts'
import { explain } from './verdict.ts'

const NOW = Date.parse('2026-11-22T08:00:00Z')
const PAST = '2026-11-01T08:00:00.000Z'

// The verdict reads neither settings nor more of an article than these fields.
const bundle = {} as SettingsBundle
const articleBut = (but: Partial<ArticlePage>): ArticleRead => ({
  type: 'found',
  article: { id: 1, published_at: PAST, ...but } as ArticlePage,
})
const rowBut = (but: Partial<Row>): Row => ({
  id: 1,
  status: 'published',
  content_type: 'homepage_article',
  language: 'en',
  published_at: PAST,
  ...but,
})
const missing: ArticleRead = { type: 'missing', redirect: undefined }
const answer = (status: number, headers: Record<string, string> = {}): StatusEvidence['page'] => ({
  type: 'answer',
  reply: { status, headers: new Headers(headers), text: '' },
})
const factsBut = (but: Partial<StatusEvidence>): StatusEvidence => ({
  path: '/bridge',
  settings: { type: 'found', bundle },
  route: { type: 'article', language: 'en', slug: 'bridge' },
  article: { visible: articleBut({}), preview: articleBut({}) },
  rows: undefined,
  page: answer(200),
  health: {},
  revision: undefined,
  omissions: undefined,
  ...but,
})
const unseen = (preview: ArticleRead) => ({ visible: missing, preview })

test.each<[name: string, but: Partial<StatusEvidence>, reason: string | undefined]>([
  ['live', {}, undefined],
  [
    'no settings',
    { settings: { type: 'failed', reason: 'the read API answers 404 to settings' } },
    'the read API answers 404 to settings',
  ],
  [
    'no route',
    { route: { type: 'not_found', language: 'en' } },
    'no route of the site leads to /bridge',
  ],
  [
    'a redirect of the router',
    { route: { type: 'redirect', location: '/' } },
    '/bridge redirects to /',
  ],
  [
    'a draft, its row known',
    { article: unseen(articleBut({})), rows: [rowBut({ status: 'draft' })] },
    'its status is "draft"',
  ],
  ['a draft, no database', { article: unseen(articleBut({})) }, 'its status is not "published"'],
  ['no instant', { article: unseen(articleBut({ published_at: null })) }, 'it has no published_at'],
  [
    'scheduled',
    { article: unseen(articleBut({ published_at: '2026-12-01T08:00:00.000Z' })) },
    'it is scheduled for 2026-12-01T08:00:00.000Z',
  ],
  [
    'another type',
    { article: unseen(missing), rows: [rowBut({ content_type: 'note' })] },
    'its content_type is "note", and only homepage_article is served',
  ],
  [
    'unknown, no database',
    { article: unseen(missing) },
    'no article of type homepage_article of this site has the path /bridge',
  ],
  [
    'unknown',
    { article: unseen(missing), rows: [] },
    'no article of this site has the path /bridge',
  ],
  [
    'moved',
    {
      article: {
        visible: { type: 'missing', redirect: { to: '/new', status: 301 } },
        preview: missing,
      },
    },
    'it has moved: the path redirects to /new (301)',
  ],
  [
    'deleted',
    {
      article: {
        visible: { type: 'missing', redirect: { to: null, status: 410 } },
        preview: missing,
      },
    },
    'it was deleted: the path answers 410',
  ],
  [
    'another language',
    { article: { visible: { type: 'other-languages', languages: ['de'] }, preview: missing } },
    'its slug is published in de only',
  ],
  [
    'a broken row',
    {
      article: {
        visible: { type: 'failed', reason: 'the read API answers 500' },
        preview: missing,
      },
    },
    'the read API answers 500; its log names the row and the field',
  ],
  [
    'a static page over a published article',
    { route: { type: 'page', language: 'en', key: 'bridge' } },
    'the static page "bridge" has the same path and wins over the article',
  ],
  [
    'a static page alone',
    {
      route: { type: 'page', language: 'en', key: 'bridge' },
      article: unseen(missing),
      rows: [rowBut({ language: 'de' })],
    },
    undefined,
  ],
  [
    'a 404 that the worker still has',
    { page: answer(404, { 'cache-status': 'cms-edge; hit; ttl=12; detail=edge' }) },
    'the site worker answers 404 (cms-edge; hit; ttl=12; detail=edge)',
  ],
  [
    'a redirect of the worker',
    { page: answer(308, { location: 'https://a.example/bridge' }) },
    'the site worker redirects to https://a.example/bridge (308)',
  ],
  [
    'no worker',
    { page: { type: 'failed', reason: 'the site worker cannot be reached: refused' } },
    'the site worker cannot be reached: refused',
  ],
])('%s', (_, but, reason) => {
  expect(explain(factsBut(but), NOW)).toBe(reason)
})
