import { describe, expect, it } from 'vitest'
import type { Redirect } from '../../../../contract/redirect.ts'
import type { ContentApi } from '../content-api.ts'
import { renderNotFound, renderRoute } from '../render-route.ts'
import { decideRoute } from '../route.ts'
import {
  apiBut,
  articleBut,
  author,
  contextBut,
  image,
  itemBut,
  profileBut,
  settingsBut,
} from '../tests/fixtures.ts'
import { findAll, readJsonLd, renderPath } from '../tests/render.ts'

const HOSTILE = `</title></script><script>alert(1)</script><img src=x onerror=alert(1)>"'\u2028&`

const withArticle = (changes: Parameters<typeof articleBut>[0]): ContentApi =>
  apiBut({ article: async () => ({ type: 'ok', value: articleBut(changes) }) })

const HOSTILE_ROWS: [string, string, Parameters<typeof contextBut>[0]][] = [
  ['title', '/night-ferry', { api: withArticle({ title: HOSTILE, seo_title: HOSTILE }) }],
  ['subtitle', '/night-ferry', { api: withArticle({ subtitle: HOSTILE, description: HOSTILE }) }],
  ['description', '/night-ferry', { api: withArticle({ seo_description: HOSTILE }) }],
  [
    'image',
    '/night-ferry',
    {
      api: withArticle({
        image: { ...image, alt: HOSTILE, caption: HOSTILE, credit: HOSTILE, mime_type: HOSTILE },
      }),
    },
  ],
  [
    'names',
    '/night-ferry',
    {
      api: withArticle({
        tags: [{ slug: 'x', name: HOSTILE }],
        category: { slug: 'x', name: HOSTILE, path: '/category/x' },
        author: { ...author, name: HOSTILE, job_title: HOSTILE },
        breadcrumbs: [
          { name: HOSTILE, path: '/' },
          { name: HOSTILE, path: '/x' },
        ],
      }),
    },
  ],
  [
    'related',
    '/night-ferry',
    { api: withArticle({ related: [itemBut({ title: HOSTILE, description: HOSTILE })] }) },
  ],
  [
    'author',
    '/author/ines-vogel',
    {
      api: apiBut({
        author: async () => ({
          type: 'ok',
          value: profileBut({ name: HOSTILE, job_title: HOSTILE, expertise: [HOSTILE] }),
        }),
      }),
    },
  ],
  ['question', '/search', { query: { q: HOSTILE } }],
  [
    'settings',
    '/',
    {
      settings: settingsBut({
        title: HOSTILE,
        tagline: HOSTILE,
        description: HOSTILE,
        copyright: HOSTILE,
        publisher_name: HOSTILE,
        contact_email: HOSTILE,
        twitter_handle: HOSTILE,
        social_links: [{ platform: HOSTILE, url: 'https://social.example/' }],
        navigation: [{ area: 'header', label: HOSTILE, path: '/x', language: null }],
      }),
    },
  ],
]

describe('hostile content', () => {
  it.each(HOSTILE_ROWS)('stays text: %s', async (_field, path, changes) => {
    const { body } = await renderPath(path, changes)
    expect(body).toContain('alert(1)')
    expect(body).not.toMatch(/<script>|<img src=x|\u2028(?=[^<]*<\/script>)/)
    expect(findAll(body, /<(script)\b/g)).toHaveLength(1)
    expect(readJsonLd(body).length).toBeGreaterThan(1)
  })
})

describe('articles', () => {
  it('keep sanitised markup', async () => {
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

  it('use the canonical URL of their editors', async () => {
    const api = withArticle({ seo_canonical_url: 'https://elsewhere.example/first' })
    const { body } = await renderPath('/night-ferry', { api })
    expect(body).toContain('<link rel="canonical" href="https://elsewhere.example/first">')
  })

  it.each([
    ['noindex', 'noindex', 'noindex'],
    [null, 'max-image-preview:large', undefined],
    ['noindex\r\nset-cookie: a=b', 'max-image-preview:large', undefined],
  ])('tell search engines what their editors set: %j', async (seo_robots, meta, header) => {
    const { body, headers } = await renderPath('/night-ferry', { api: withArticle({ seo_robots }) })
    expect(findAll(body, /<meta name="robots" content="([^"]*)">/g)).toEqual([meta])
    expect(headers?.['x-robots-tag']).toBe(header)
  })

  it('ignore an invalid canonical URL', async () => {
    const api = withArticle({
      seo_canonical_url: 'https://[',
      image: { ...image, url: 'http://[' },
    })
    const { body } = await renderPath('/night-ferry', { api })
    expect(body).toContain('<link rel="canonical" href="https://harbour.example/night-ferry">')
  })

  it('in other languages only redirect to a translation', async () => {
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

  it('are read in the version of the preview', async () => {
    const asked: unknown[] = []
    const article: ContentApi['article'] = async (slug, parameters) => {
      asked.push([slug, parameters])
      return { type: 'ok', value: articleBut({ published_at: null, version: 3 }) }
    }
    const { body } = await renderPath('/night-ferry', {
      api: apiBut({ article }),
      preview: { version: 3 },
    })
    expect(asked).toEqual([['night-ferry', { language: 'en', version: 3 }]])
    expect(body).toContain('<meta name="robots" content="noindex, nofollow">')
    expect(body).toContain('preview-bar')
  })
})

describe('a path without a page', () => {
  const nothing = { type: 'not-found' } as const
  const api = apiBut({
    list: async ({ kind }) =>
      kind === 'recent' ? { type: 'ok', value: { items: [], next_cursor: null } } : nothing,
    sitemap: async () => nothing,
  })
  it.each([
    '/no-such-article',
    '/category/no-such-category',
    '/category/port/after/forged',
    '/author/nobody',
    '/archive/2027/01',
    '/archive/1989/12',
    '/sitemap/forged.xml',
    '/category/nothing/feed.xml',
    '/No-Route',
  ])('%s is a 404 page', async (path) => {
    const page = await renderPath(path, { api })
    expect(page).toMatchObject({ status: 404, pageType: 'not_found' })
    expect(page.headers?.['x-robots-tag']).toBe('noindex, follow')
    expect(page.body).not.toContain('rel="canonical"')
  })

  it('has one page for each language', async () => {
    const [one, other, german] = await Promise.all(
      ['/Nope', '/no/such/path', '/de/No-Such-Page'].map((path) => renderPath(path)),
    )
    expect(one).toEqual(other)
    expect(german?.body).toContain('<html lang="de"')
    expect(german?.body).toContain('href="/de/search"')
  })

  it.each([
    ['/no-such-article', 1],
    ['/author/nobody', 1],
    ['/category/no-such-category', 0],
    ['/category/port/after/forged', 1],
    ['/category/port/after/forged/more', 0],
    ['/archive/2026/10/after/forged', 1],
    ['/archive/1989/12', 0],
    ['/sitemap/forged.xml', 1],
    ['/No-Route', 0],
    ['/de/no/such/path', 0],
  ])('%s takes %i calls of the API', async (path, expected) => {
    let calls = 0
    const count = async () => {
      calls++
      return nothing
    }
    const counting = { article: count, author: count, list: count, sitemap: count }
    const context = contextBut({ api: counting })
    const rendered = await renderRoute(decideRoute(path, context.settings), context)
    expect(rendered.type).toBe('not-found')
    expect(calls).toBe(expected)
  })
})

it.each([
  ['a time zone', { timezone: 'Mars/Olympus' }],
  ['a language', { default_language: 'en-ab1' }],
])('%s that no runtime supports breaks no page', async (_, site) => {
  const bundle = settingsBut()
  const warn = () => {
    throw new Error('a template failed')
  }
  const page = await renderPath('/night-ferry', {
    settings: { ...bundle, site: { ...bundle.site, ...site } },
    warn,
  })
  expect(page.status).toBe(200)
  expect(page.body).toContain('November 19, 2026')
})

describe('an article that has moved', () => {
  const render = (path: string, redirect: Redirect) => {
    const article = async () => ({ type: 'not-found', redirect }) as const
    const context = contextBut({ api: apiBut({ article }) })
    return renderRoute(decideRoute(path, context.settings), context)
  }

  it.each<[string, Redirect, number, string]>([
    ['/old', { to: '/new', status: 301 }, 301, '/new'],
    ['/old', { to: '/new', status: 302 }, 302, '/new'],
    ['/de/alt', { to: '/de/neu', status: 301 }, 301, '/de/neu'],
    ['/old', { to: '/en/new', status: 301 }, 301, '/new'],
    ['/old', { to: '/new/', status: 301 }, 301, '/new'],
    ['/old', { to: '/new?from=old#top', status: 301 }, 301, '/new?from=old#top'],
    ['/old', { to: '/cmp-media/report.pdf', status: 301 }, 301, '/cmp-media/report.pdf'],
  ])('%s with %j is a %i to %s', async (path, redirect, status, location) => {
    expect(await render(path, redirect)).toEqual({ type: 'redirect', status, location })
  })

  it('is not found where the redirect leads back to itself', async () => {
    const rendered = await render('/old', { to: '/en/old', status: 301 })
    expect(rendered).toEqual({ type: 'not-found', status: 404, language: 'en' })
  })

  it('is a 410 with the template of a page not found when it is gone for good', async () => {
    const rendered = await render('/de/alt', { to: null, status: 410 })
    expect(rendered).toEqual({ type: 'not-found', status: 410, language: 'de' })
    const gone = await renderNotFound({ status: 410, language: 'de' }, contextBut())
    expect(gone).toMatchObject({ status: 410, pageType: 'not_found' })
    expect(gone.body).toContain('Page removed')
    expect(gone.body).toContain('>410<')
    expect(gone.body).toContain('<html lang="de"')
  })
})

describe('lists', () => {
  it('link the next page by cursor; later pages are noindex', async () => {
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

  it('are read in the language of the page, articles_per_page at a time', async () => {
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

  it('list every month since the first article', async () => {
    const { body } = await renderPath('/archive')
    expect(findAll(body, /href="\/archive\/([\d/]+)"/g)).toEqual(['2026/11', '2026/10', '2026/09'])
  })
})

describe('a host that is not the site’s domain', () => {
  it('has noindex pages only', async () => {
    const { body, headers } = await renderPath('/', { indexable: false })
    expect(headers?.['x-robots-tag']).toBe('noindex, nofollow')
    expect(body).toContain('<link rel="canonical" href="https://harbour.example/">')
  })
})

describe('the stylesheet', () => {
  it('is that of the context, with a preload header', async () => {
    const { body, headers } = await renderPath('/', { css: { slug: 'next', version: '2.1' } })
    expect(body).toContain('<link rel="stylesheet" href="/cmp-media/css/next/2.1.css">')
    expect(headers?.link).toBe('</cmp-media/css/next/2.1.css>; rel=preload; as=style')
  })
})

describe('static pages', () => {
  it('have the label of the navigation as title', async () => {
    expect((await renderPath('/about')).body).toContain('<h1>About us</h1>')
    expect((await renderPath('/de/about')).body).toContain('<h1>Über uns</h1>')
  })
})

describe('labels', () => {
  it('of a language replace the defaults', async () => {
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
