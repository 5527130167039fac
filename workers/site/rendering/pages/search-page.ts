import type { RenderContext } from '../render-context.ts'
import { toRoutePath } from '../route-path.ts'
import { toSearchPath } from '../search-query.ts'
import type { View } from '../templates/template-renderer.ts'
import {
  breadcrumbsFor,
  labelFor,
  languageCodesOf,
  NOINDEX_FOLLOW,
  type Page,
  type RouteOf,
  toPage,
  toTranslations,
} from './page-model.ts'

/** Loads the results of a search; without a query, only the form. Returns undefined for an unknown cursor. */
export async function loadSearch(
  route: RouteOf<'search'>,
  context: RenderContext,
): Promise<Page | undefined> {
  const { language } = route
  const { q = '', cursor } = context.query ?? {}
  const { articles_per_page: limit } = context.settings.site_settings
  const result = q
    ? await context.api.list({ kind: 'search', q, language, limit, ...(cursor && { cursor }) })
    : undefined
  if (result?.type === 'not-found') return undefined
  const title = labelFor('search', language, context)
  const path = toRoutePath(route, context.settings.site.default_language)
  const next = result?.value.next_cursor
  const view: View = {
    query: q,
    list: result && {
      items: result.value.items,
      next_path: next && toSearchPath(path, { q, cursor: next }),
      first_path: cursor && toSearchPath(path, { q }),
    },
  }
  return toPage(route, context, {
    pageType: 'search',
    template: 'search',
    view,
    title: q ? `${q} — ${title}` : title,
    robots: NOINDEX_FOLLOW,
    alternates: toTranslations(route, languageCodesOf(context), context),
    breadcrumbs: breadcrumbsFor(language, context, { name: title, path }),
  })
}
