import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import type { ContentApi } from '../content-api.ts'
import { apiBut, itemBut, settingsBut } from '../tests/fixtures.ts'
import { findAll, renderPath } from '../tests/render.ts'

const HOSTILE = `<b>&amp;"'</b>]]>\u0000\u0008\ud800`
const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' })

const apiWithList = (items: ReturnType<typeof itemBut>[]): ContentApi =>
  apiBut({ list: async () => ({ type: 'ok', value: { items, next_cursor: null } }) })

async function readXml(path: string, api: ContentApi = apiBut()) {
  const { body } = await renderPath(path, { api })
  expect(XMLValidator.validate(body)).toBe(true)
  return parser.parse(body)
}

describe('feeds', () => {
  it('contain the articles as RSS 2.0', async () => {
    const { rss } = await readXml('/feed.xml')
    expect(rss.version).toBe('2.0')
    expect(rss.channel['atom:link']).toMatchObject({
      href: 'https://harbour.example/feed.xml',
      rel: 'self',
    })
    expect(rss.channel.item).toMatchObject({
      title: 'The night ferry returns',
      link: 'https://harbour.example/night-ferry',
      guid: { '#text': 'tag:harbour.example,2026-11-19:article/1', isPermaLink: 'false' },
      pubDate: 'Thu, 19 Nov 2026 06:30:00 GMT',
      'dc:creator': 'Ines Vogel',
    })
  })

  it('contain the articles as Atom', async () => {
    const { feed } = await readXml('/atom.xml')
    expect(feed).toMatchObject({
      id: 'https://harbour.example/atom.xml',
      updated: '2026-11-19T08:00:00.000Z',
      entry: { id: 'tag:harbour.example,2026-11-19:article/1', author: { name: 'Ines Vogel' } },
    })
  })

  it('contain the articles as JSON Feed 1.1', async () => {
    const { body, contentType } = await renderPath('/feed.json')
    expect(contentType).toBe('application/feed+json; charset=utf-8')
    expect(JSON.parse(body)).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      feed_url: 'https://harbour.example/feed.json',
      items: [{ url: 'https://harbour.example/night-ferry', tags: ['Port'] }],
    })
  })

  it.each(['/feed.xml', '/atom.xml'])('%s is well-formed with hostile content', async (path) => {
    const xml = await readXml(
      path,
      apiWithList([itemBut({ title: HOSTILE, description: HOSTILE })]),
    )
    const item = xml.rss?.channel.item ?? xml.feed.entry
    expect(item.title).toContain('<b>&amp;')
  })

  it.each(['/feed.xml', '/atom.xml', '/feed.json'])(
    '%s without articles is a valid feed',
    async (path) => {
      const { status, body } = await renderPath(path, { api: apiWithList([]) })
      expect(status).toBe(200)
      expect(body).toContain('The Harbour Post')
    },
  )

  it('of a category has the name of the category', async () => {
    const { rss } = await readXml('/category/port/feed.xml')
    expect(rss.channel).toMatchObject({
      title: 'Port — The Harbour Post',
      link: 'https://harbour.example/category/port',
    })
  })
})

describe('sitemaps', () => {
  const entry = (id: number) => ({
    id,
    path: `/story-${id}?a&b`,
    language: 'en',
    published_at: '2026-09-01T06:00:00.000Z',
    updated_at: `2026-11-${String(10 + id)}T08:00:00.000Z`,
  })
  const parts: Record<string, { urls: ReturnType<typeof entry>[]; next_cursor: string | null }> = {
    '': { urls: [entry(2), entry(1)], next_cursor: 'c2' },
    c2: { urls: [entry(3)], next_cursor: 'c3' },
    c3: { urls: [], next_cursor: null },
  }
  const api = apiBut({
    sitemap: async ({ cursor = '', limit }) => {
      expect(limit).toBe(5000)
      const part = parts[cursor]
      const static_pages = cursor
        ? []
        : [
            { path: '/', title: 'Home' },
            { path: '/about', title: 'About' },
          ]
      return part ? { type: 'ok', value: { ...part, static_pages } } : { type: 'not-found' }
    },
  })

  it('the index lists every part with the date of its newest change', async () => {
    const { sitemapindex } = await readXml('/sitemap.xml', api)
    expect(sitemapindex.sitemap).toEqual([
      { loc: 'https://harbour.example/sitemap/first.xml', lastmod: '2026-11-12T08:00:00.000Z' },
      { loc: 'https://harbour.example/sitemap/c2.xml', lastmod: '2026-11-13T08:00:00.000Z' },
      { loc: 'https://harbour.example/sitemap/c3.xml' },
    ])
  })

  it('fails when a part of the index is missing', async () => {
    const { c2 } = parts
    const broken = apiBut({
      sitemap: async ({ cursor }) =>
        cursor || !c2 ? { type: 'not-found' } : { type: 'ok', value: { ...c2, static_pages: [] } },
    })
    await expect(renderPath('/sitemap.xml', { api: broken })).rejects.toThrow('cursor "c3"')
  })

  it('the index of an unknown site is a 404', async () => {
    const unknown = apiBut({ sitemap: async () => ({ type: 'not-found' }) })
    expect((await renderPath('/sitemap.xml', { api: unknown })).status).toBe(404)
  })

  it('the first part lists static pages and the home of each language, once', async () => {
    const { urlset } = await readXml('/sitemap/first.xml', api)
    expect(urlset.url.map((each: { loc: string }) => new URL(each.loc).pathname)).toEqual([
      '/',
      '/de',
      '/about',
      '/story-2',
      '/story-1',
    ])
  })

  it('a later part lists only articles', async () => {
    const { urlset } = await readXml('/sitemap/c2.xml', api)
    expect(urlset.url).toEqual({
      loc: 'https://harbour.example/story-3?a&b',
      lastmod: '2026-11-13T08:00:00.000Z',
    })
  })
})

describe('robots.txt', () => {
  const renderRobotsTxt = async (robots_txt: string | null, indexable = true) =>
    (await renderPath('/robots.txt', { settings: settingsBut({ robots_txt }), indexable })).body

  it('allows everything and has the URL of the sitemap', async () => {
    expect(await renderRobotsTxt(null)).toBe(
      'User-agent: *\nAllow: /\n\nSitemap: https://harbour.example/sitemap.xml\n',
    )
  })

  it('contains the robots_txt of the settings, and one sitemap', async () => {
    const text = await renderRobotsTxt('User-agent: x\r\nDisallow: /\r\n')
    expect(text).toBe(
      'User-agent: x\nDisallow: /\n\nSitemap: https://harbour.example/sitemap.xml\n',
    )
    expect(
      findAll(await renderRobotsTxt('Sitemap: https://a.example/s.xml'), /(sitemap:)/gi),
    ).toHaveLength(1)
  })

  it('disallows everything when the host is not the site’s domain', async () => {
    expect(await renderRobotsTxt('User-agent: *\nAllow: /', false)).toBe(
      'User-agent: *\nDisallow: /\n',
    )
  })
})

describe('ads.txt', () => {
  it('is the ads_txt of the settings, or a 404', async () => {
    expect((await renderPath('/ads.txt')).body).toBe('example.com, 1, DIRECT\n')
    expect(
      await renderPath('/ads.txt', { settings: settingsBut({ ads_txt: null }) }),
    ).toMatchObject({
      status: 404,
    })
  })
})
