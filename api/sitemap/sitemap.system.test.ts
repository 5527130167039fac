import { expect } from 'vitest'
import { SitemapResponse } from '../../contract/sitemap.ts'
import { describeRequests, readBody, useNewsroom } from '../tests/suite.ts'

const newsroom = useNewsroom()
const paths = readBody(SitemapResponse, ({ urls }) => urls.map(({ path }) => path).join(' '))

describeRequests('the sitemap', newsroom, paths, [
  [
    'has articles that are featured or on the home page, oldest first',
    'sitemap',
    '/a1 /a2 /a3 /a4 /a5',
  ],
  ['since a day', 'sitemap?since=2026-01-05', '/a4 /a5'],
  ['since an instant: at or after', 'sitemap?since=2026-01-05T12:00:00Z', '/a4 /a5'],
  ['since an instant in a zone', 'sitemap?since=2026-01-05T12:00:00-00:01', '/a5'],
  ['since an RFC 1123 date', 'sitemap?since=Tue,%2006%20Jan%202026%2012:00:00%20GMT', '/a5'],
  ['at most limit', 'sitemap?limit=2', '/a1 /a2'],
  ['articles of another site', '/public/v2/sites/2/sitemap', '/b1'],
])

const HOME = { path: '/', title: 'Alpha' }
const staticPages = readBody(SitemapResponse, ({ static_pages }) => static_pages)

describeRequests('static pages', newsroom, staticPages, [
  [
    'the home page, and the pages to which the navigation links',
    'sitemap',
    [HOME, { path: '/about', title: 'About' }, { path: '/de/about', title: 'Über uns' }],
  ],
  ['do not count towards the limit', 'sitemap?limit=1', expect.objectContaining({ length: 3 })],
  [
    'only the home page if there is no navigation',
    '/public/v2/sites/2/sitemap',
    [{ path: '/', title: 'Beta' }],
  ],
])

describeRequests(
  'the last part',
  newsroom,
  readBody(SitemapResponse, ({ next_cursor }) => next_cursor),
  [
    ['has no cursor', 'sitemap?limit=5', null],
    ['follows a part with a cursor', 'sitemap?limit=4', expect.any(String)],
  ],
)
