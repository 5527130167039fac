import { HtmlValidate } from 'html-validate'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ArticlePage } from '../../../contract/article.ts'
import type { RenderContext } from './render-context.ts'
import { type Rendered, type RenderedPage, renderRoute } from './render-route.ts'
import { decideRoute } from './route.ts'
import { crawl } from './tests/crawl.ts'
import { apiBut, articleBut, contextBut, itemBut, settingsBut } from './tests/fixtures.ts'
import { findAll, readJsonLd } from './tests/render.ts'
import { defaultTemplates, themeTemplates } from './tests/themes.ts'

const THEMES = {
  default: defaultTemplates(),
  harbour: themeTemplates('harbour', 'harbour'),
  meridian: themeTemplates('meridian', 'meridian'),
}

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    'no-trailing-whitespace': 'off',
    'doctype-style': ['error', { style: 'lowercase' }],
    'no-inline-style': 'error',
    'long-title': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
  },
})

const ARTICLES: Record<string, Partial<ArticlePage>> = {
  nachtfaehre: {
    slug: 'nachtfaehre',
    language: 'de',
    path: '/de/nachtfaehre',
    author: null,
    breadcrumbs: [],
    related: [],
  },
  crane: { slug: 'crane', path: '/crane', image: null, alternates: [], related: [] },
}

function contextOf(templates: (typeof THEMES)[keyof typeof THEMES]): RenderContext {
  const items = Array.from({ length: 14 }, (_, index) =>
    itemBut({ id: index + 1, image: index % 5 === 4 ? null : itemBut().image }),
  )
  return contextBut({
    settings: settingsBut({ templates }),
    api: apiBut({
      article: async (slug) => ({ type: 'ok', value: articleBut(ARTICLES[slug]) }),
      list: async ({ kind, language, cursor, month = '2026-11' }) => ({
        type: 'ok',
        value: {
          items: language === 'en' && month === '2026-11' ? items : [],
          next_cursor: kind === 'category' && !cursor ? 'next' : null,
        },
      }),
    }),
    query: { q: 'ferry' },
    warn: (message, fields) => {
      throw new Error(`${message} ${JSON.stringify(fields)}`)
    },
  })
}

const renderAt = (path: string, context: RenderContext) =>
  renderRoute(decideRoute(path, context.settings), context)

function bodyOf(rendered: Rendered): string {
  if (rendered.type !== 'page') throw new Error(`not a page: ${JSON.stringify(rendered)}`)
  return rendered.body
}

describe.each(Object.entries(THEMES))('theme %s', (_theme, templates) => {
  const pages: [string, RenderedPage][] = []
  let results: Map<string, Rendered>

  beforeAll(async () => {
    results = await crawl('/', contextOf(templates))
    for (const [path, rendered] of results)
      if (rendered.type === 'page' && rendered.contentType.startsWith('text/html'))
        pages.push([path, rendered])
  })

  it.each([null, ''])('has no mailto link when the address is %j', async (contact_email) => {
    const context = contextOf(templates)
    const settings = settingsBut({ templates, contact_email })
    for (const path of ['/contact', '/imprint', '/privacy', '/de/contact', '/de/imprint'])
      expect(bodyOf(await renderAt(path, { ...context, settings })), path).not.toContain('mailto:')
    expect(bodyOf(await renderAt('/contact', context))).toContain('mailto:desk@harbour.example')
  })

  it('has locales in the format of Open Graph', async () => {
    const body = bodyOf(await renderAt('/', contextOf(templates)))
    expect(body).toContain('<meta property="og:locale" content="en_US">')
    expect(body).toContain('<meta property="og:locale:alternate" content="de_DE">')
  })

  it('has no broken links', () => {
    const broken = [...results].filter(
      ([, rendered]) => rendered.type !== 'page' || rendered.status !== 200,
    )
    expect(broken.map(([path]) => path)).toEqual([])
  })

  it('links to every page type, and to pages in both languages', () => {
    const types = new Set([...results.values()].map((each) => 'pageType' in each && each.pageType))
    for (const type of ['home', 'article', 'category', 'author', 'search', 'page', 'feed'])
      expect(types).toContain(type)
    for (const path of [
      '/de',
      '/de/category/port',
      '/archive/2026/11',
      '/category/port/after/next',
    ])
      expect([...results.keys()]).toContain(path)
  })

  it('renders valid and accessible HTML without inline styles or scripts', async () => {
    for (const [path, { body }] of pages) {
      const { results } = await validator.validateString(body)
      const messages = results.flatMap((each) => each.messages)
      expect(messages.map((each) => `${path}:${each.line} ${each.ruleId} ${each.message}`)).toEqual(
        [],
      )
      expect(body.replace(/<script type="application\/ld\+json">/, '')).not.toContain('<script')
      expect(body).not.toMatch(/\sstyle=|\son[a-z]+=/)
    }
  })

  it('renders one h1, a title, a canonical URL and JSON-LD on each page', () => {
    for (const [path, { body }] of pages) {
      expect(findAll(body, /<(h1)\b/g), path).toHaveLength(1)
      expect(findAll(body, /<title>([^<]+)<\/title>/g), path).toHaveLength(1)
      expect(findAll(body, /<link rel="canonical" href="([^"]+)"/g), path).toEqual([
        `https://harbour.example${path}`,
      ])
      expect(
        readJsonLd(body).map((node) => node['@type']),
        path,
      ).toContain('WebSite')
    }
  })

  it('renders every image with its size and an alternative text', () => {
    for (const [path, { body }] of pages)
      for (const image of findAll(body, /<img\b([^>]*)>/g))
        for (const attribute of ['width', 'height', 'alt', 'srcset', 'sizes'])
          expect(image, path).toMatch(new RegExp(`\\s${attribute}="`))
  })

  it('links translations in both directions', () => {
    const alternates = new Map(
      pages.map(([path, { body }]) => [
        path,
        findAll(
          body,
          /<link rel="alternate" hreflang="[a-z]+" href="https:\/\/harbour\.example([^"]*)"/g,
        ),
      ]),
    )
    for (const [path, others] of alternates)
      for (const other of others)
        expect(alternates.get(other), `${other} of ${path}`).toContain(path)
  })
})
