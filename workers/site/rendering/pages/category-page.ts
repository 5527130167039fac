import type { LightCategory } from '../../../../contract/settings.ts'
import type { RenderContext } from '../render-context.ts'
import { pathFor, toListPage, toListQuery } from './list-page.ts'
import { breadcrumbsFor, type Page, type RouteOf, toTranslations } from './page-model.ts'

/** Loads a category's page; undefined if the category or the cursor does not exist in this language. */
export async function loadCategory(
  route: RouteOf<'category'>,
  context: RenderContext,
): Promise<Page | undefined> {
  const { slug, language } = route
  const rows = context.settings.site_settings.categories.filter((row) => row.slug === slug)
  const category = rows.find((row) => row.language === language)
  if (!category) return undefined
  const query = toListQuery(route, context)
  const result = await context.api.list({ ...query, kind: 'category', category: slug })
  if (result.type === 'not-found') return undefined
  const feed = { type: 'feed', format: 'rss', category: slug, language } as const
  const languages = rows.map((row) => row.language)
  return toListPage(route, context, result.value, {
    pageType: 'category',
    template: 'category',
    title: category.name,
    description: category.description,
    view: { category: { ...category, feed_path: pathFor(feed, context) } },
    alternates: toTranslations(route, languages, context),
    breadcrumbs: breadcrumbsFor(language, context, ...toCategoryBreadcrumbs(category, context)),
  })
}

function toCategoryBreadcrumbs(category: LightCategory, context: RenderContext) {
  const { language, parent_slug } = category
  const parent = context.settings.site_settings.categories.find(
    (row) => row.slug === parent_slug && row.language === language,
  )
  return (parent ? [parent, category] : [category]).map(({ name, slug }) => ({
    name,
    path: pathFor({ type: 'category', slug, language }, context),
  }))
}
