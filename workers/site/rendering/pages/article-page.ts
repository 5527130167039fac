import type { ArticlePage } from '../../../../contract/article.ts'
import type { RenderContext } from '../render-context.ts'
import { SafeHtml } from '../templates/safe-html.ts'
import { newsArticleOf } from './json-ld.ts'
import { type Page, type RouteOf, toPage, toRichText } from './page-model.ts'

/** The article, or the address of a translation when it stands in other languages only; undefined: there is none. */
export async function loadArticle(
  route: RouteOf<'article'>,
  context: RenderContext,
): Promise<Page | { location: string } | undefined> {
  const { language, slug } = route
  const version = context.preview?.version
  const answer = await context.api.article(slug, { language, ...(version && { version }) })
  switch (answer.type) {
    case 'ok':
      return toArticlePage(answer.value, route, context)
    case 'other-languages': {
      const { default_language } = context.settings.site
      const { alternates } = answer
      const best = alternates.find((each) => each.language === default_language) ?? alternates[0]
      return best && { location: best.path }
    }
    case 'not-found':
      return undefined
    default:
      return answer satisfies never
  }
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
    graph: [newsArticleOf(article, context.canonicalOrigin)],
    published: article.published_at,
    modified: article.updated_at,
  })
}
