import { describe, expect, it } from 'vitest'
import { toStylesheetKey } from '../../../../contract/constants.ts'
import type { ContentApi } from '../content-api.ts'
import { renderRoute } from '../render-route.ts'
import { decideRoute } from '../route.ts'
import {
  apiBut,
  articleBut,
  contextBut,
  image,
  itemBut,
  settingsBut,
  withArticle,
} from '../tests/fixtures.ts'
import { findAll, readJsonLd, renderPath } from '../tests/render.ts'

describe('articles', () => {
  it('contain the sanitised markup of the API', async () => {
    const { body } = await renderPath('/night-ferry')
    expect(body).toContain('<p>The quay was <strong>full</strong>.</p>')
    expect(body).toContain('<p>Writes about <em>ships</em>.</p>')
  })

  it('have JSON-LD and Open Graph data', async () => {
    const { body } = await renderPath('/night-ferry')
    const node = readJsonLd(body).find((each) => each['@type'] === 'NewsArticle')
    expect(node).toMatchObject({
      headline: 'The night ferry returns',
      datePublished: '2026-11-19T06:30:00.000Z',
      mainEntityOfPage: 'https://harbour.example/night-ferry',
      author: { name: 'Ines Vogel', url: 'https://harbour.example/author/ines-vogel' },
      image: [{ url: 'https://harbour.example/cmp-media/articles/harbour/ferry.jpg' }],
    })
    expect(findAll(body, /hreflang="([^"]+)" href/g)).toEqual(['en', 'de', 'x-default'])
    expect(findAll(body, /property="og:image" content="([^"]+)"/g)).toEqual([
      'https://harbour.example/cmp-media/articles/harbour/ferry.jpg',
    ])
  })

  it('have the canonical URL that an editor set', async () => {
    const api = withArticle({ seo_canonical_url: 'https://other.example/first' })
    const { body } = await renderPath('/night-ferry', { api })
    expect(body).toContain('<link rel="canonical" href="https://other.example/first">')
  })

  it.each([
    ['noindex', 'noindex', 'noindex'],
    [null, 'max-image-preview:large', undefined],
    ['noindex\r\nset-cookie: a=b', 'max-image-preview:large', undefined],
  ])(
    'have the robots directives of their editors, if well-formed: %j',
    async (seo_robots, meta, header) => {
      const { body, headers } = await renderPath('/night-ferry', {
        api: withArticle({ seo_robots }),
      })
      expect(findAll(body, /<meta name="robots" content="([^"]*)">/g)).toEqual([meta])
      expect(headers?.['x-robots-tag']).toBe(header)
    },
  )

  it('with invalid URLs have the canonical URL of their path', async () => {
    const api = withArticle({
      seo_canonical_url: 'https://[',
      image: { ...image, url: 'http://[' },
    })
    const { body } = await renderPath('/night-ferry', { api })
    expect(body).toContain('<link rel="canonical" href="https://harbour.example/night-ferry">')
  })

  it('that exist only in other languages redirect to a translation', async () => {
    const alternates = [
      { language: 'de', path: '/de/nachtfaehre' },
      { language: 'en', path: '/night-ferry' },
    ]
    const context = contextBut({
      api: apiBut({ article: async () => ({ type: 'other-languages', alternates }) }),
    })
    const rendered = await renderRoute(decideRoute('/de/night-ferry', context.settings), context)
    expect(rendered).toEqual({ type: 'redirect', status: 302, location: '/night-ferry' })
  })

  it('of a preview are requested in its version', async () => {
    const requests: unknown[] = []
    const article: ContentApi['article'] = async (slug, parameters) => {
      requests.push([slug, parameters])
      return { type: 'ok', value: articleBut({ published_at: null, version: 3 }) }
    }
    const { body } = await renderPath('/night-ferry', {
      api: apiBut({ article }),
      preview: { version: 3 },
    })
    expect(requests).toEqual([['night-ferry', { language: 'en', version: 3 }]])
    expect(body).toContain('<meta name="robots" content="noindex, nofollow">')
    expect(body).toContain('preview-bar')
  })
})

it.each([
  ['a time zone', { timezone: 'Mars/Olympus' }],
  ['a language', { default_language: 'en-ab1' }],
])('an article is rendered with %s that the runtime does not support', async (_, site) => {
  const bundle = settingsBut()
  const warn = () => {
    throw new Error('A template failed.')
  }
  const page = await renderPath('/night-ferry', {
    settings: { ...bundle, site: { ...bundle.site, ...site } },
    warn,
  })
  expect(page.status).toBe(200)
  expect(page.body).toContain('November 19, 2026')
})

describe('lists', () => {
  it('link to the next page; later pages are not indexed', async () => {
    const list: ContentApi['list'] = async ({ cursor }) => ({
      type: 'ok',
      value: { items: [itemBut()], next_cursor: cursor ? null : 'c2' },
    })
    const first = await renderPath('/category/port', { api: apiBut({ list }) })
    expect(first.body).toContain('href="/category/port/after/c2"')
    expect(first.headers).not.toHaveProperty('x-robots-tag')
    const second = await renderPath('/category/port/after/c2', { api: apiBut({ list }) })
    expect(second.body).toContain('href="/category/port"')
    expect(second.headers?.['x-robots-tag']).toBe('noindex, follow')
    expect(second.body).toContain('href="https://harbour.example/category/port/after/c2"')
  })

  it('are requested in the language of the page, with articles_per_page as the limit', async () => {
    const queries: unknown[] = []
    const list: ContentApi['list'] = async (query) => {
      queries.push(query)
      return { type: 'ok', value: { items: [], next_cursor: null } }
    }
    const settings = settingsBut({ articles_per_page: 7 })
    await renderPath('/de/category/port', { api: apiBut({ list }), settings })
    await renderPath('/archive/2026/10', { api: apiBut({ list }), settings })
    await renderPath('/search', {
      api: apiBut({ list }),
      settings,
      query: { q: 'quay', cursor: 'c' },
    })
    expect(queries).toEqual([
      { kind: 'category', category: 'port', language: 'de', limit: 7 },
      { kind: 'recent', month: '2026-10', language: 'en', limit: 7 },
      { kind: 'search', q: 'quay', language: 'en', limit: 7, cursor: 'c' },
    ])
  })

  it('contain all months since the first article', async () => {
    const { body } = await renderPath('/archive')
    expect(findAll(body, /href="\/archive\/([\d/]+)"/g)).toEqual(['2026/11', '2026/10', '2026/09'])
  })
})

describe('a host that is not the site’s domain', () => {
  it('is excluded from search engines', async () => {
    const { body, headers } = await renderPath('/', { indexable: false })
    expect(headers?.['x-robots-tag']).toBe('noindex, nofollow')
    expect(body).toContain('<link rel="canonical" href="https://harbour.example/">')
  })
})

describe('the stylesheet', () => {
  it('of the context is linked and preloaded', async () => {
    const { body, headers } = await renderPath('/', { css: { slug: 'next', version: '2.1' } })
    expect(body).toContain('<link rel="stylesheet" href="/cmp-media/css/next/2.1.css">')
    expect(headers?.link).toBe('</cmp-media/css/next/2.1.css>; rel=preload; as=style')
  })

  it('with a slug outside ASCII has an encoded path, and a key that is not encoded', async () => {
    const { headers } = await renderPath('/', { css: { slug: 'küste', version: '1.0' } })
    expect(headers?.link).toBe('</cmp-media/css/k%C3%BCste/1.0.css>; rel=preload; as=style')
    expect(toStylesheetKey('küste', '1.0')).toBe('css/küste/1.0.css')
  })
})

describe('static pages', () => {
  it('have the label in the navigation as title', async () => {
    expect((await renderPath('/about')).body).toContain('<h1>About us</h1>')
    expect((await renderPath('/de/about')).body).toContain('<h1>Über uns</h1>')
  })
})

describe('labels', () => {
  it('of a language override the defaults', async () => {
    const settings = settingsBut()
    settings.site_settings.languages[1] = {
      code: 'de',
      name: 'Deutsch',
      direction: 'ltr',
      is_default: false,
      labels: { search: 'Suche' },
    }
    const { body } = await renderPath('/de/search', { settings })
    expect(body).toContain('<h1>Suche</h1>')
    expect(body).toContain('Skip to content')
  })
})
