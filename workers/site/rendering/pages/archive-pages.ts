import type { RenderContext } from '../render-context.ts'
import { toLocalDate } from '../templates/filters.ts'
import { collectionOf } from './json-ld.ts'
import { pathOf, toListPage, toListQuery } from './list-page.ts'
import {
  breadcrumbsFor,
  labelFor,
  languagesOf,
  type Page,
  type RouteOf,
  toPage,
  toTranslations,
} from './page-model.ts'

const OLDEST_MONTH = '1990-01'

/** Articles of a month; undefined when it lies ahead or before 1990, or the cursor is unknown. */
export async function loadMonth(
  route: RouteOf<'month'>,
  context: RenderContext,
): Promise<Page | undefined> {
  const { month, language } = route
  const now = toMonth(context.now)
  if (month > now || month < OLDEST_MONTH) return undefined
  const query = { ...toListQuery(route, context), kind: 'recent', month } as const
  const answer = await context.api.list(query)
  if (answer.type === 'not-found') return undefined
  const isLast = answer.value.items.length === 0 || month === OLDEST_MONTH
  const archive = labelFor('archive', language, context)
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
    breadcrumbs: breadcrumbsFor(
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
  const title = labelFor('archive', language, context)
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
    breadcrumbs: breadcrumbsFor(language, context, { name: title, path }),
    graph: [collectionOf(title, path, toNamed(months, language), context.canonicalOrigin)],
  })
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
