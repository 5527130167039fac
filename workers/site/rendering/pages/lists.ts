import type { ListResponse } from '../../../../contract/list.ts'
import type { LightCategory } from '../../../../contract/settings.ts'
import type { RenderContext } from '../render-context.ts'
import { type LanguageRoute, toRoutePath } from '../route.ts'
import { toLocalDate } from '../templates/filters.ts'
import { collectionOf, profileOf } from './json-ld.ts'
import {
  labelOf,
  languagesOf,
  NOT_LISTED,
  type Page,
  type PageContent,
  type RouteOf,
  toPage,
  toRichText,
  toTrail,
  toTranslations,
} from './page-model.ts'

const OLDEST_MONTH = '1990-01'

type ListRoute = RouteOf<'category' | 'author' | 'month'>

/** Undefined: there is no such category in that language, or the cursor leads nowhere. */
export async function loadCategory(
  route: RouteOf<'category'>,
  context: RenderContext,
): Promise<Page | undefined> {
  const { slug, language } = route
  const rows = context.settings.site_settings.categories.filter((row) => row.slug === slug)
  const category = rows.find((row) => row.language === language)
  if (!category) return undefined
  const query = toQuery(route, context)
  const answer = await context.api.list({ ...query, kind: 'category', category: slug })
  if (answer.type === 'not-found') return undefined
  const feed = { type: 'feed', format: 'rss', category: slug, language } as const
  const languages = rows.map((row) => row.language)
  return toListPage(route, context, answer.value, {
    pageType: 'category',
    template: 'category',
    title: category.name,
    description: category.description,
    view: { category: { ...category, feed_path: pathOf(feed, context) } },
    alternates: toTranslations(route, languages, context),
    breadcrumbs: toTrail(language, context, ...toCategoryTrail(category, context)),
  })
}

/** Undefined: there is no such author, or the cursor leads nowhere. */
export async function loadAuthor(
  route: RouteOf<'author'>,
  context: RenderContext,
): Promise<Page | undefined> {
  const { slug, language } = route
  const query = { ...toQuery(route, context), kind: 'author', author_slug: slug } as const
  const [profile, list] = await Promise.all([context.api.author(slug), context.api.list(query)])
  if (profile.type === 'not-found' || list.type === 'not-found') return undefined
  const { author, seo, stats } = profile.value
  const path = pathOf({ type: 'author', slug, language }, context)
  return toListPage(route, context, list.value, {
    pageType: 'author',
    template: 'author',
    title: seo.title,
    description: seo.description,
    image: author.image,
    ogType: 'profile',
    view: { author: { ...author, bio_html: toRichText(author.bio_html) }, stats },
    alternates: toTranslations(route, languagesOf(context), context),
    breadcrumbs: toTrail(language, context, { name: author.name, path }),
    graph: [profileOf(profile.value, path, context.canonicalOrigin)],
  })
}

/** What was published in a month; undefined: the month lies ahead or before all, or the cursor leads nowhere. */
export async function loadMonth(
  route: RouteOf<'month'>,
  context: RenderContext,
): Promise<Page | undefined> {
  const { month, language } = route
  const now = toMonth(context.now)
  if (month > now || month < OLDEST_MONTH) return undefined
  const query = { ...toQuery(route, context), kind: 'recent', month } as const
  const answer = await context.api.list(query)
  if (answer.type === 'not-found') return undefined
  const isLast = answer.value.items.length === 0 || month === OLDEST_MONTH
  const archive = labelOf('archive', language, context)
  const name = toLocalDate(middleOf(month), 'month', language, 'UTC')
  const newer = shiftMonth(month, 1)
  return toListPage(route, context, answer.value, {
    pageType: 'category',
    template: 'archive',
    title: `${archive}: ${name}`,
    view: {
      month: toMonthView(month, language, context),
      newer: newer <= now ? toMonthView(newer, language, context) : null,
      older: isLast ? null : toMonthView(shiftMonth(month, -1), language, context),
    },
    alternates: toTranslations(route, languagesOf(context), context),
    breadcrumbs: toTrail(
      language,
      context,
      { name: archive, path: pathOf({ type: 'archive', language }, context) },
      { name, path: pathOf({ type: 'month', month, language }, context) },
    ),
  })
}

/** Every month since the site's first article, newest first. */
export async function loadArchive(
  route: RouteOf<'archive'>,
  context: RenderContext,
): Promise<Page> {
  const { language } = route
  const first = await context.api.sitemap({ limit: 1 })
  const oldest = first.type === 'ok' ? first.value.urls[0]?.published_at : undefined
  const title = labelOf('archive', language, context)
  const path = pathOf(route, context)
  const months: MonthView[] = []
  const now = toMonth(context.now)
  for (let month = now; month >= (oldest?.slice(0, 7) ?? now); month = shiftMonth(month, -1))
    months.push(toMonthView(month, language, context))
  return toPage(route, context, {
    pageType: 'category',
    template: 'archive',
    title,
    view: { months },
    alternates: toTranslations(route, languagesOf(context), context),
    breadcrumbs: toTrail(language, context, { name: title, path }),
    graph: [collectionOf(title, path, toNamed(months, language), context.canonicalOrigin)],
  })
}

// Later pages and empty ones are for readers only: search engines get at the articles by the first pages and archives.
function toListPage(
  route: ListRoute,
  context: RenderContext,
  { items, next_cursor }: ListResponse,
  page: PageContent & { title: string },
): Page {
  const { cursor, ...first } = route
  const list = {
    items,
    next_path: next_cursor && pathOf({ ...route, cursor: next_cursor }, context),
    first_path: cursor ? pathOf(first, context) : null,
  }
  const path = pathOf(route, context)
  const graph = page.graph ?? [collectionOf(page.title, path, items, context.canonicalOrigin)]
  const content = { ...page, graph, view: { ...page.view, list } }
  if (cursor) return toPage(route, context, { ...content, robots: NOT_LISTED, alternates: [] })
  return toPage(route, context, items.length > 0 ? content : { ...content, robots: NOT_LISTED })
}

function toQuery({ language, cursor }: ListRoute, { settings }: RenderContext) {
  const { articles_per_page: limit } = settings.site_settings
  return { language, limit, ...(cursor && { cursor }) }
}

function toCategoryTrail(category: LightCategory, context: RenderContext) {
  const { language, parent_slug } = category
  const parent = context.settings.site_settings.categories.find(
    (row) => row.slug === parent_slug && row.language === language,
  )
  return (parent ? [parent, category] : [category]).map(({ name, slug }) => ({
    name,
    path: pathOf({ type: 'category', slug, language }, context),
  }))
}

type MonthView = { date: string; year: string; path: string }

const toNamed = (months: readonly MonthView[], language: string) =>
  months.map(({ date, path }) => ({ path, title: toLocalDate(date, 'month', language, 'UTC') }))

function toMonthView(month: string, language: string, context: RenderContext): MonthView {
  const path = pathOf({ type: 'month', month, language }, context)
  return { date: middleOf(month), year: month.slice(0, 4), path }
}

// The same month in every time zone.
const middleOf = (month: string): string => `${month}-15T12:00:00.000Z`

const toMonth = (date: Date): string => date.toISOString().slice(0, 7)

function shiftMonth(month: string, by: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return toMonth(new Date(Date.UTC(year, number - 1 + by)))
}

const pathOf = (route: LanguageRoute, { settings }: RenderContext): string =>
  toRoutePath(route, settings.site.default_language)
