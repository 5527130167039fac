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
import { type NotFound, toNotFoundPage } from './pages/not-found-page.ts'
import type { Page, RouteOf } from './pages/page-model.ts'
import { loadSearch } from './pages/search-page.ts'
import { toStaticPage } from './pages/static-page.ts'
import type { RenderContext, RenderedFile } from './render-context.ts'
import { decideRoute, type LanguageRoute, type Route } from './route.ts'
import { createFetchLists } from './templates/list-tags.ts'
import { SafeHtml } from './templates/safe-html.ts'
import { Renderer } from './templates/template-renderer.ts'

export type RenderedPage = {
  type: 'page'
  pageType: PageType
  status: 200 | 404 | 410
  contentType: string
  body: string
  headers?: Record<string, string>
}

/** A page, file or redirect. A `not-found` has no body: `renderNotFound` renders it once for a language. */
export type Rendered =
  | RenderedPage
  | { type: 'redirect'; status: 301 | 302; location: string }
  | ({ type: 'not-found' } & NotFound)

/**
 * Renders the page or file of a route.
 *
 * @throws Error when the API fails, or when all sources of a template fail
 */
export async function renderRoute(route: Route, context: RenderContext): Promise<Rendered> {
  switch (route.type) {
    case 'home':
      return renderDocument(toHomePage(route, context), context)
    case 'article':
      return renderArticle(route, context)
    case 'category':
      return toPageOrNotFound(route, await loadCategory(route, context), context)
    case 'author':
      return toPageOrNotFound(route, await loadAuthor(route, context), context)
    case 'archive':
      return renderDocument(await loadArchive(route, context), context)
    case 'month':
      return toPageOrNotFound(route, await loadMonth(route, context), context)
    case 'search':
      return toPageOrNotFound(route, await loadSearch(route, context), context)
    case 'page':
      return renderDocument(toStaticPage(route, context), context)
    case 'feed':
      return toFileOrNotFound('feed', await renderFeed(route, context), route.language)
    case 'redirect':
      return renderRedirect(route.location, context)
    case 'not_found':
      return { type: 'not-found', status: 404, language: route.language }
    default:
      return renderSiteFile(route, context)
  }
}

/**
 * Renders the not-found page of a language.
 *
 * @throws Error under the same conditions as `renderRoute`
 */
export function renderNotFound(page: NotFound, context: RenderContext): Promise<RenderedPage> {
  return renderDocument(toNotFoundPage(page, context), context)
}

type SiteFileRoute = Extract<Route, { type: 'sitemap_index' | 'sitemap' | 'robots' | 'ads' }>

async function renderSiteFile(route: SiteFileRoute, context: RenderContext): Promise<Rendered> {
  const { default_language } = context.settings.site
  switch (route.type) {
    case 'sitemap_index':
      return toFileOrNotFound('sitemap', await renderSitemapIndex(context), default_language)
    case 'sitemap':
      return toFileOrNotFound(
        'sitemap',
        await renderSitemap(route.cursor, context),
        default_language,
      )
    case 'robots':
      return toFileOrNotFound('robots', renderRobots(context), default_language)
    case 'ads':
      return toFileOrNotFound('ads', renderAds(context), default_language)
    default:
      return route satisfies never
  }
}

// The target may redirect too: to a moved article, or to a translation. Redirects there directly.
async function renderRedirect(location: string, context: RenderContext): Promise<Rendered> {
  const target = decideRoute(location, context.settings)
  if (target.type === 'article') {
    const outcome = await loadArticle(target, context)
    if (outcome.type === 'redirect') return outcome
  }
  return { type: 'redirect', status: 301, location }
}

async function renderArticle(route: RouteOf<'article'>, context: RenderContext): Promise<Rendered> {
  const outcome = await loadArticle(route, context)
  switch (outcome.type) {
    case 'page':
      return renderDocument(outcome.page, context)
    case 'redirect':
      return outcome
    case 'not-found':
      return { ...outcome, language: route.language }
    default:
      return outcome satisfies never
  }
}

function toPageOrNotFound(
  { language }: LanguageRoute,
  page: Page | undefined,
  context: RenderContext,
): Promise<Rendered> | Rendered {
  return page ? renderDocument(page, context) : { type: 'not-found', status: 404, language }
}

function toFileOrNotFound(
  pageType: PageType,
  file: RenderedFile | undefined,
  language: string,
): Rendered {
  return file
    ? { type: 'page', pageType, status: 200, ...file }
    : { type: 'not-found', status: 404, language }
}

async function renderDocument(page: Page, context: RenderContext): Promise<RenderedPage> {
  const warnings: string[] = []
  const renderer = new Renderer({
    templates: context.settings.site_settings.templates,
    language: page.language,
    globals: toGlobals(page, context),
    hasFallback: !context.hasPrevious,
    onFailure: (failure) => {
      const { key: template, message: error, line } = failure
      warnings.push(`A template failed: ${template}: ${error}`)
      context.warn('A template failed; the next source takes its place', {
        template,
        language: page.language,
        line,
        error,
      })
      context.onTemplateFailure?.(failure)
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
