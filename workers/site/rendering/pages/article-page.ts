import type { ArticlePage } from '../../../../contract/article.ts'
import type { LinkedAlternate } from '../../../../contract/link.ts'
import type { Redirect } from '../../../../contract/redirect.ts'
import type { RenderContext } from '../render-context.ts'
import { toFinalLocation } from '../route.ts'
import { toRoutePath } from '../route-path.ts'
import { SafeHtml } from '../templates/safe-html.ts'
import { toNewsArticle } from './json-ld.ts'
import { type Page, type RouteOf, toPage, toRichText } from './page-model.ts'

/** `location` is the path of a translation, or of the article after a move. */
type ArticleOutcome =
  | { type: 'page'; page: Page }
  | { type: 'redirect'; status: 301 | 302; location: string }
  | { type: 'not-found'; status: 404 | 410 }

/** Loads an article, or the redirect to its translation or its new path. */
export async function loadArticle(
  route: RouteOf<'article'>,
  context: RenderContext,
): Promise<ArticleOutcome> {
  const { language, slug } = route
  const version = context.preview?.version
  const result = await context.api.article(slug, { language, ...(version && { version }) })
  switch (result.type) {
    case 'ok':
      return { type: 'page', page: toArticlePage(result.value, route, context) }
    case 'other-languages':
      return redirectToTranslation(result.alternates, context)
    case 'not-found':
      return toRedirectOrNotFound(result.redirect, route, context)
    default:
      return result satisfies never
  }
}

function redirectToTranslation(
  alternates: readonly LinkedAlternate[],
  { settings }: RenderContext,
): ArticleOutcome {
  const { default_language } = settings.site
  const translation =
    alternates.find(({ language }) => language === default_language) ?? alternates[0]
  return translation
    ? { type: 'redirect', status: 302, location: translation.path }
    : { type: 'not-found', status: 404 }
}

function toRedirectOrNotFound(
  redirect: Redirect | undefined,
  route: RouteOf<'article'>,
  { settings }: RenderContext,
): ArticleOutcome {
  if (redirect?.status === 410) return { type: 'not-found', status: 410 }
  const location = redirect && toFinalLocation(redirect.to, settings)
  const currentPath = toRoutePath(route, settings.site.default_language)
  return redirect && location !== undefined && location !== currentPath
    ? { type: 'redirect', status: redirect.status, location }
    : { type: 'not-found', status: 404 }
}

function toArticlePage(
  article: ArticlePage,
  route: RouteOf<'article'>,
  context: RenderContext,
): Page {
  const { author } = article
  return toPage(route, context, {
    pageType: 'article',
    template: 'article',
    view: {
      article: {
        ...article,
        body_html: new SafeHtml(article.body_html),
        author: author && { ...author, bio_html: toRichText(author.bio_html) },
      },
    },
    title: article.seo_title,
    description: article.seo_description ?? article.description,
    image: article.seo_image ?? article.image,
    ogType: 'article',
    robots: article.seo_robots,
    canonical: article.seo_canonical_url,
    alternates: article.alternates,
    breadcrumbs: article.breadcrumbs,
    graph: [toNewsArticle(article, context.canonicalOrigin)],
    published: article.published_at,
    modified: article.updated_at,
  })
}
