import type { PageType } from '../../../contract/constants.ts'
import { renderFeed } from './files/feeds.ts'
import { renderSitemap, renderSitemapIndex } from './files/sitemap.ts'
import { renderAds, renderRobots } from './files/text-files.ts'
import { loadArchive, loadMonth } from './pages/archive-pages.ts'
import { loadArticle } from './pages/article-page.ts'
import { loadAuthor } from './pages/author-page.ts'
import { loadCategory } from './pages/category-page.ts'
import { toCssPath, toGlobals, toRobots } from './pages/globals.ts'
import { toHomePage } from './pages/home-page.ts'
import { toNotFoundPage } from './pages/not-found-page.ts'
import type { Page, RouteOf } from './pages/page-model.ts'
import { loadSearch } from './pages/search-page.ts'
import { toStaticPage } from './pages/static-page.ts'
import type { File, RenderContext } from './render-context.ts'
import type { Route } from './route.ts'
import { toSearchPath } from './search-query.ts'
import { createFetchLists } from './templates/list-tags.ts'
import { SafeHtml } from './templates/safe-html.ts'
import { Renderer } from './templates/template-renderer.ts'

export type RenderedPage = {
  type: 'page'
  pageType: PageType
  status: 200 | 404
  contentType: string
  body: string
  headers?: Record<string, string>
}

export type Rendered = RenderedPage | { type: 'redirect'; status: 301 | 302; location: string }

/** The page behind a route. Throws when the API fails, or when no source of a template that the page needs renders. */
export async function renderPage(route: Route, context: RenderContext): Promise<Rendered> {
  switch (route.type) {
    case 'home':
      return renderDocument(toHomePage(route, context), context)
    case 'article':
      return renderArticle(route, context)
    case 'category':
      return renderDocument(await loadCategory(route, context), context)
    case 'author':
      return renderDocument(await loadAuthor(route, context), context)
    case 'archive':
      return renderDocument(await loadArchive(route, context), context)
    case 'month':
      return renderDocument(await loadMonth(route, context), context)
    case 'search':
      return renderDocument(await loadSearch(route, context), context)
    case 'page':
      return renderDocument(toStaticPage(route, context), context)
    case 'feed':
      return toFile('feed', await renderFeed(route, context), context)
    case 'sitemap_index':
      return toFile('sitemap', await renderSitemapIndex(context), context)
    case 'sitemap':
      return toFile('sitemap', await renderSitemap(route.cursor, context), context)
    case 'robots':
      return toFile('robots', renderRobots(context), context)
    case 'ads':
      return toFile('ads', renderAds(context), context)
    case 'redirect':
      return { type: 'redirect', status: 301, location: toLocation(route.location, context) }
    case 'not_found':
      return renderDocument(undefined, context)
    default:
      return route satisfies never
  }
}

function toLocation(path: string, { query }: RenderContext): string {
  return query?.q ? toSearchPath(path, query) : path
}

async function renderArticle(route: RouteOf<'article'>, context: RenderContext): Promise<Rendered> {
  const article = await loadArticle(route, context)
  if (article && 'location' in article)
    return { type: 'redirect', status: 302, location: article.location }
  return renderDocument(article, context)
}

async function toFile(
  pageType: PageType,
  file: File | undefined,
  context: RenderContext,
): Promise<RenderedPage> {
  if (!file) return renderDocument(undefined, context)
  return { type: 'page', pageType, status: 200, ...file }
}

async function renderDocument(
  found: Page | undefined,
  context: RenderContext,
): Promise<RenderedPage> {
  const page = found ?? toNotFoundPage(context)
  const warnings: string[] = []
  const renderer = new Renderer({
    templates: context.settings.site_settings.templates,
    language: page.language,
    globals: toGlobals(page, context),
    warn: (message, fields) => {
      warnings.push(`${message}: ${fields.template}: ${fields.error}`)
      context.warn(message, fields)
    },
  })
  const fetchLists = createFetchLists(page.language, context)
  const content = new SafeHtml(await renderer.renderPage(page.template, page.view, fetchLists))
  const view = { ...page.view, content, warnings: context.preview ? warnings : [] }
  const body = await renderer.renderPage('document', view, fetchLists)
  const { pageType, status } = page
  return {
    type: 'page',
    pageType,
    status,
    contentType: HTML,
    body,
    headers: toHeaders(page, context),
  }
}

const HTML = 'text/html; charset=utf-8'

function toHeaders(page: Page, context: RenderContext): Record<string, string> {
  const robots = toRobots(page, context)
  return {
    link: `<${toCssPath(context)}>; rel=preload; as=style`,
    ...(robots.includes('noindex') && { 'x-robots-tag': robots }),
  }
}
