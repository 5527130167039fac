import { describe, expect, it } from 'vitest'
import type { CloudResponse } from '../../lib/cloud.ts'
import { checkSite } from './check.ts'
import { checkFeed } from './feed.ts'
import { parseHtml } from './html.ts'
import { checkJsonLd } from './json-ld.ts'
import { readSitemap } from './sitemap.ts'
import type { Site } from './walk.ts'

const ORIGIN = 'https://news.example'

const RSS = `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>News</title>
<link>${ORIGIN}/</link><description>All of it</description><atom:link rel="self" href="${ORIGIN}/feed.xml"/>
<item><title>One</title><link>${ORIGIN}/one</link><guid>1</guid><pubDate>Sat, 21 Nov 2026 08:00:00 GMT</pubDate></item>
<item><title>Two</title><link>${ORIGIN}/two</link><guid>2</guid></item></channel></rss>`

const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><id>${ORIGIN}/atom.xml</id><title>News</title>
<updated>2026-11-21T08:00:00Z</updated><link rel="self" href="${ORIGIN}/atom.xml"/><author><name>Us</name></author>
<entry><id>tag:1</id><title>One</title><updated>2026-11-21T08:00:00Z</updated></entry></feed>`

const JSON_FEED = JSON.stringify({
  version: 'https://jsonfeed.org/version/1.1',
  title: 'News',
  items: [{ id: '1', url: `${ORIGIN}/one`, content_text: 'One' }],
})

const FEEDS = {
  'application/rss+xml': RSS,
  'application/atom+xml': ATOM,
  'application/feed+json': JSON_FEED,
}

describe('checkFeed', () => {
  it.each(Object.entries(FEEDS))('finds nothing invalid in %s', (type, feed) => {
    expect(checkFeed(type, feed)).toEqual([])
  })

  it.each([
    ['application/rss+xml', '</rss>', '', 'is not XML'],
    ['application/rss+xml', 'version="2.0"', 'version="0.9"', 'is not RSS 2.0'],
    ['application/rss+xml', '<description>All of it</description>', '', 'RSS: description'],
    ['application/rss+xml', '<link>https://news.example/one', '<link>/one', 'RSS: /one'],
    ['application/rss+xml', 'Sat, 21 Nov 2026 08:00:00 GMT', '2026-11-21', 'RSS: 2026-11-21'],
    ['application/rss+xml', '<guid>2', '<guid>1', 'RSS: 1 is used twice'],
    ['application/atom+xml', '<author><name>Us</name></author>', '', 'Atom: entry author'],
    ['application/atom+xml', '<id>tag:1</id>', '', 'Atom: entry id'],
    ['application/feed+json', '"id":"1"', '"id":1', 'JSON Feed: item id'],
    ['application/feed+json', '/version/1.1', '/version/1', 'JSON Feed: version'],
  ] as const)('finds in %s the problem of replacing %j by %j', (type, from, to, problem) => {
    expect(checkFeed(type, FEEDS[type].replace(from, to)).join('\n')).toContain(problem)
  })
})

describe('checkJsonLd', () => {
  it.each([
    [[], 'has no JSON-LD'],
    [['{'], 'malformed JSON'],
    [['{"@graph":[{"@type":"Person","name":"A"}]}'], 'Person lacks url'],
    [['{"@type":"Person","name":"A","url":"/a"}'], 'malformed url'],
    [['{"@type":"WebSite","publisher":{"@id":"#us"}}'], 'refers to #us'],
    [['{"@type":"Thing"}'], 'has a Thing'],
  ])('finds the problem of %j', (blocks, problem) => {
    expect(checkJsonLd(blocks, 'home').join('\n')).toContain(problem)
  })

  it('expects a NewsArticle on an article page', () => {
    expect(checkJsonLd(['{}'], 'article')).toContain('JSON-LD has no NewsArticle')
  })
})

describe('readSitemap', () => {
  const toSitemap = (entry: string) =>
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url>${entry}</url></urlset>`

  it.each([
    [toSitemap(`<loc>${ORIGIN}/a</loc><lastmod>2024-11-01T00:00:00Z</lastmod>`), []],
    [toSitemap('<loc>/a</loc>'), ['contains /a, which is not on the canonical host']],
    [toSitemap(`<loc>${ORIGIN}/a</loc><lastmod>soon</lastmod>`), ['has the lastmod soon']],
    [toSitemap(''), ['is empty']],
  ])('the problems of %s are %j', (source, problems) => {
    expect(readSitemap(Buffer.from(source), ORIGIN).problems).toEqual(problems)
  })
})

describe('checkSite', () => {
  it('reports headings, canonicals, fragments, translations and dead links', () => {
    const home = `<html lang="en"><title>A</title><h1></h1><h1></h1><a href="/b#none"></a>
      <link rel="alternate" hreflang="en" href="${ORIGIN}/"><link rel="alternate" hreflang="de" href="${ORIGIN}/b">`
    const other = `<html lang="de"><title>B</title><h1></h1><link rel="canonical" href="${ORIGIN}/b">`
    const texts = checkSite(siteOf({ '/': home, '/b': other }, ['/gone'])).map(
      ({ path, text }) => `${path} ${text}`,
    )
    expect(texts).toEqual(
      expect.arrayContaining([
        '/ has 2 h1',
        '/ has the canonical ',
        '/ links to /b#none, which does not exist',
        `/ has no link from ${ORIGIN}/b`,
        '/gone responds with 404, linked from /',
      ]),
    )
  })
})

function siteOf(pages: Record<string, string>, missing: readonly string[]): Site {
  const toResponse = (status: number, body: string): CloudResponse => ({
    status,
    headers: new Headers({ 'content-type': 'text/html' }),
    body: Buffer.from(body),
  })
  const visits = [
    ...Object.entries(pages).map(([path, source]) => {
      return { path, response: toResponse(200, source), from: '/', html: parseHtml(source) }
    }),
    ...missing.map((path) => ({ path, response: toResponse(404, ''), from: '/', html: undefined })),
  ]
  return {
    host: 'news.example',
    canonicalOrigin: ORIGIN,
    visits: new Map(visits.map((visit) => [visit.path, visit])),
    externalLinks: new Set(),
    skippedPages: 0,
  }
}
