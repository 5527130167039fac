import type { RenderContext } from '../render-context.ts'
import { toLocalDate } from '../templates/filters.ts'
import { toCollectionPage } from './json-ld.ts'
import { pathFor, toListPage, toListQuery } from './list-page.ts'
import {
  breadcrumbsFor,
  labelFor,
  languageCodesOf,
  type Page,
  type RouteOf,
  toPage,
  toTranslations,
} from './page-model.ts'

const OLDEST_MONTH = '1990-01'
/** Archives have the page type of categories, and so their lifetime in the cache. */
const PAGE_TYPE = 'category'

/** Loads the articles of a month; undefined for a future month, one before 1990 or an unknown cursor. */
export async function loadMonth(
  route: RouteOf<'month'>,
  context: RenderContext,
): Promise<Page | undefined> {
  const { month, language } = route
  const currentMonth = toMonth(context.now)
  if (month > currentMonth || month < OLDEST_MONTH) return undefined
  const query = { ...toListQuery(route, context), kind: 'recent', month } as const
  const result = await context.api.list(query)
  if (result.type === 'not-found') return undefined
  // A month without articles may precede the first article, so it has no link to an older month.
  const isOldest = result.value.items.length === 0 || month === OLDEST_MONTH
  const archive = labelFor('archive', language, context)
  const name = toLocalDate(toMidMonth(month), 'month', language, 'UTC')
  const newer = shiftMonth(month, 1)
  return toListPage(route, context, result.value, {
    pageType: PAGE_TYPE,
    template: 'archive',
    title: `${archive}: ${name}`,
    view: {
      month: toMonthView(month, language, context),
      newer: newer <= currentMonth ? toMonthView(newer, language, context) : null,
      older: isOldest ? null : toMonthView(shiftMonth(month, -1), language, context),
    },
    alternates: toTranslations(route, languageCodesOf(context), context),
    breadcrumbs: breadcrumbsFor(
      language,
      context,
      { name: archive, path: pathFor({ type: 'archive', language }, context) },
      { name, path: pathFor({ type: 'month', month, language }, context) },
    ),
  })
}

/** Loads the list of all months since the site's first article, newest first. */
export async function loadArchive(
  route: RouteOf<'archive'>,
  context: RenderContext,
): Promise<Page> {
  const { language } = route
  // The sitemap begins with the oldest article.
  const sitemap = await context.api.sitemap({ limit: 1 })
  const oldest = sitemap.type === 'ok' ? sitemap.value.urls[0]?.published_at : undefined
  const title = labelFor('archive', language, context)
  const path = pathFor(route, context)
  const months: MonthView[] = []
  const currentMonth = toMonth(context.now)
  const oldestMonth = oldest?.slice(0, 7) ?? currentMonth
  for (let month = currentMonth; month >= oldestMonth; month = shiftMonth(month, -1))
    months.push(toMonthView(month, language, context))
  return toPage(route, context, {
    pageType: PAGE_TYPE,
    template: 'archive',
    title,
    view: { months },
    alternates: toTranslations(route, languageCodesOf(context), context),
    breadcrumbs: breadcrumbsFor(language, context, { name: title, path }),
    graph: [toCollectionPage(title, path, toLinks(months, language), context.canonicalOrigin)],
  })
}

type MonthView = { date: string; year: string; path: string }

const toLinks = (months: readonly MonthView[], language: string) =>
  months.map(({ date, path }) => ({ path, title: toLocalDate(date, 'month', language, 'UTC') }))

function toMonthView(month: string, language: string, context: RenderContext): MonthView {
  const path = pathFor({ type: 'month', month, language }, context)
  return { date: toMidMonth(month), year: month.slice(0, 4), path }
}

// An instant that is in this month in every time zone.
const toMidMonth = (month: string): string => `${month}-15T12:00:00.000Z`

const toMonth = (date: Date): string => date.toISOString().slice(0, 7)

function shiftMonth(month: string, months: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return toMonth(new Date(Date.UTC(year, number - 1 + months)))
}
