import type { ArticlePage } from '../../../../contract/article.ts'
import type { RenderContext } from '../render-context.ts'
import { hasPage, toRoutePath } from '../route.ts'
import { toSearchPath } from '../search-query.ts'
import { SafeHtml } from '../templates/safe-html.ts'
import type { View } from '../templates/template-renderer.ts'
import { toUrl } from '../url.ts'
import { newsArticleOf } from './json-ld.ts'
import {
  labelOf,
  languagesOf,
  NOT_LISTED,
  type Page,
  type RouteOf,
  toPage,
  toRichText,
  toTrail,
  toTranslations,
} from './page-model.ts'

export function toHomePage(route: RouteOf<'home'>, context: RenderContext): Page {
  return toPage(route, context, {
    pageType: 'home',
    template: 'home',
    view: {},
    title: null,
    alternates: toTranslations(route, languagesOf(context), context),
  })
}

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
    case 'elsewhere': {
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

export function toStaticPage(route: RouteOf<'page'>, context: RenderContext): Page {
  const { key, language } = route
  const { templates } = context.settings.site_settings
  const title = toStaticTitle(key, language, context)
  const path = toRoutePath(route, context.settings.site.default_language)
  const languages = languagesOf(context).filter((code) => hasPage(templates, key, code))
  return toPage(route, context, {
    pageType: 'page',
    template: key,
    view: {},
    title,
    alternates: toTranslations(route, languages, context),
    breadcrumbs: toTrail(language, context, { name: title, path }),
    graph: [{ '@type': 'WebPage', name: title, url: toUrl(path, context.canonicalOrigin) }],
  })
}

// What the navigation calls it in the language; else the template's own title.
function toStaticTitle(key: string, language: string, { settings }: RenderContext): string {
  const { navigation, templates } = settings.site_settings
  const link = navigation.find(
    (item) => item.path === `/${key}` && (item.language ?? language) === language,
  )
  return (
    link?.label ?? templates.find((each) => each.type === 'page' && each.key === key)?.title ?? key
  )
}

/** Results for the question of the context, or the bare form; undefined: the question's cursor leads nowhere. */
export async function loadSearch(
  route: RouteOf<'search'>,
  context: RenderContext,
): Promise<Page | undefined> {
  const { language } = route
  const { q = '', cursor } = context.query ?? {}
  const { articles_per_page: limit } = context.settings.site_settings
  const answer = q
    ? await context.api.list({ kind: 'search', q, language, limit, ...(cursor && { cursor }) })
    : undefined
  if (answer?.type === 'not-found') return undefined
  const title = labelOf('search', language, context)
  const path = toRoutePath(route, context.settings.site.default_language)
  const next = answer?.value.next_cursor
  const view: View = {
    query: q,
    list: answer && {
      items: answer.value.items,
      next_path: next && toSearchPath(path, { q, cursor: next }),
      first_path: cursor && toSearchPath(path, { q }),
    },
  }
  return toPage(route, context, {
    pageType: 'search',
    template: 'search',
    view,
    title: q ? `${q} — ${title}` : title,
    robots: NOT_LISTED,
    alternates: toTranslations(route, languagesOf(context), context),
    breadcrumbs: toTrail(language, context, { name: title, path }),
  })
}

/** One for the whole site, in its default language: a host keeps a single body for all that it does not have. */
export function toNotFoundPage(context: RenderContext): Page {
  const language = context.settings.site.default_language
  return toPage({ type: 'home', language }, context, {
    pageType: 'not_found',
    status: 404,
    template: 'not_found',
    view: {},
    title: labelOf('not_found', language, context),
    robots: NOT_LISTED,
  })
}
