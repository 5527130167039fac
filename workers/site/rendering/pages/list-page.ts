import type { ListResponse } from '../../../../contract/list.ts'
import type { RenderContext } from '../render-context.ts'
import type { LanguageRoute } from '../route.ts'
import { toRoutePath } from '../route-path.ts'
import { toCollectionPage } from './json-ld.ts'
import { NOINDEX_FOLLOW, type Page, type PageContent, type RouteOf, toPage } from './page-model.ts'

export type ListRoute = RouteOf<'category' | 'author' | 'month'>

// Later and empty pages are not indexed: search engines find the articles through first pages and archives.
export function toListPage(
  route: ListRoute,
  context: RenderContext,
  { items, next_cursor }: ListResponse,
  page: PageContent & { title: string },
): Page {
  const { cursor, ...firstPage } = route
  const list = {
    items,
    next_path: next_cursor && pathFor({ ...route, cursor: next_cursor }, context),
    first_path: cursor ? pathFor(firstPage, context) : null,
  }
  const path = pathFor(route, context)
  const graph = page.graph ?? [toCollectionPage(page.title, path, items, context.canonicalOrigin)]
  const content = { ...page, graph, view: { ...page.view, list } }
  if (cursor) return toPage(route, context, { ...content, robots: NOINDEX_FOLLOW, alternates: [] })
  return toPage(route, context, items.length > 0 ? content : { ...content, robots: NOINDEX_FOLLOW })
}

export function toListQuery({ language, cursor }: ListRoute, { settings }: RenderContext) {
  const { articles_per_page: limit } = settings.site_settings
  return { language, limit, ...(cursor && { cursor }) }
}

export const pathFor = (route: LanguageRoute, { settings }: RenderContext): string =>
  toRoutePath(route, settings.site.default_language)
