import { CARD_COLUMNS, CARD_JOINS, type CardRow } from '../content/card.ts'
import { isVisible } from '../content/visible.ts'
import type { Position } from '../cursor.ts'
import type { Query, Statement } from '../database.ts'
import type { SiteState } from '../site/resolve.ts'
import { createBinder } from '../sql.ts'

/** Which articles a list takes, and what they are sorted by before they are sorted by age. */
export type Selection =
  | { by: 'recent' | 'featured' | 'homepage' | 'trending' }
  | { by: 'category'; ids: number[] }
  | { by: 'author'; id: number }
  | { by: 'related'; id: number; language: string; categoryId: number | null }
  | { by: 'search'; q: string }

export interface ListQuery {
  site: SiteState
  selection: Selection
  language?: string | undefined
  /** `YYYY-MM` of UTC. */
  month?: string | undefined
  limit: number
  after?: Position | undefined
}

export interface RankedRow extends CardRow {
  rank: number | null
}

/** Reads one page of a list, newest first within each rank. */
export function readList(query: Query, list: ListQuery): Promise<RankedRow[]> {
  return query<RankedRow>(toStatement(list))
}

/** The sort key of a row, as a cursor holds it. */
export const toPosition = ({ rank, published_at, id }: RankedRow): Position =>
  rank === null ? [published_at.getTime(), id] : [rank, published_at.getTime(), id]

function toStatement(list: ListQuery): Statement {
  const { bind, finish } = createBinder()
  const limit = bind(list.limit)
  const scope: Scope = { list, bind, limit, visible: toVisible(list, bind) }
  return finish(`
SELECT a.rank, ${CARD_COLUMNS}
FROM (${toSelection(scope)}) a ${CARD_JOINS}
ORDER BY a.rank DESC, a.published_at DESC, a.id DESC
LIMIT ${limit}`)
}

interface Scope {
  list: ListQuery
  bind(value: unknown): string
  limit: string
  visible: string
}

function toVisible({ site, language, month }: ListQuery, bind: Scope['bind']): string {
  const conditions = [`a.site_id = ${bind(site.id)}`, isVisible('a', bind(site.now))]
  if (language !== undefined) conditions.push(`a.language = ${bind(language)}`)
  if (month !== undefined) {
    const start = `${bind(`${month}-01T00:00:00Z`)}::timestamptz`
    conditions.push(`a.published_at >= ${start} AND a.published_at < ${start} + interval '1 month'`)
  }
  return conditions.join(' AND ')
}

// Negated, so that all three keys descend: the very expression of its index.
const HOMEPAGE_RANK = '(-coalesce(a.homepage_position, 2147483647))'

function toSelection(scope: Scope): string {
  const { list, bind } = scope
  const { selection } = list
  switch (selection.by) {
    case 'recent':
      return newest(scope, 'true')
    case 'featured':
      return newest(scope, 'a.is_featured')
    case 'author':
      return newest(scope, `a.author_id = ${bind(selection.id)}`)
    case 'search':
      return newest(scope, toSearch(bind(toPattern(selection.q))))
    case 'category':
      return selectCategories(scope, selection.ids)
    case 'homepage':
      return ranked(scope, { rank: HOMEPAGE_RANK, filter: 'a.show_in_homepage' })
    case 'trending':
      return selectTrending(scope)
    case 'related':
      return selectRelated(scope, selection)
    default:
      return selection satisfies never
  }
}

function newest({ list, bind, limit, visible }: Scope, filter: string): string {
  const [publishedAt, id] = list.after ?? []
  const after = list.after
    ? `AND (a.published_at, a.id) < (${bind(toDate(publishedAt))}, ${bind(id)})`
    : ''
  return `SELECT NULL::integer AS rank, a.* FROM articles a WHERE ${visible} AND ${filter} ${after}
  ORDER BY a.published_at DESC, a.id DESC LIMIT ${limit}`
}

function ranked(
  scope: Scope,
  { rank, filter, join = '' }: { rank: string; filter: string; join?: string },
): string {
  const { list, bind, limit, visible } = scope
  const [last, publishedAt, id] = list.after ?? []
  const after = list.after
    ? `AND (${rank}, a.published_at, a.id) < (${bind(last)}, ${bind(toDate(publishedAt))}, ${bind(id)})`
    : ''
  return `SELECT ${rank} AS rank, a.* FROM articles a ${join} WHERE ${visible} AND ${filter} ${after}
  ORDER BY ${rank} DESC, a.published_at DESC, a.id DESC LIMIT ${limit}`
}

// One walk of the index per row of the category: it has one for each language.
function selectCategories(scope: Scope, ids: number[]): string {
  const branch = newest(scope, 'a.category_id = chosen.id')
  return `SELECT page.* FROM unnest(${scope.bind(ids)}::integer[]) AS chosen (id)
  CROSS JOIN LATERAL (${branch}) page`
}

function selectTrending(scope: Scope): string {
  const { list, bind } = scope
  // The index on scores is narrowed by the score alone; the row comparison does the rest.
  const from = list.after ? `AND score.score <= ${bind(list.after[0])}` : ''
  return ranked(scope, {
    rank: 'score.score',
    join: 'JOIN article_scores score ON score.article_id = a.id',
    filter: `score.site_id = a.site_id ${from}`,
  })
}

type Related = Extract<Selection, { by: 'related' }>

// Rank: twice the number of shared tags, and one more for the same category.
function selectRelated(scope: Scope, { id, language, categoryId }: Related): string {
  const { bind } = scope
  const article = bind(id)
  const category = `${bind(categoryId)}::integer`
  const same = `a.id <> ${article} AND a.language = ${bind(language)}`
  const tagged = ranked(scope, {
    rank: `(2 * shared.tags + coalesce(a.category_id = ${category}, false)::integer)`,
    join: 'JOIN shared ON shared.article_id = a.id',
    filter: same,
  })
  const untagged = ranked(scope, {
    rank: '1',
    filter: `${same} AND a.category_id = ${category} AND NOT EXISTS (
      SELECT FROM article_tags own JOIN mine USING (tag_id) WHERE own.article_id = a.id)`,
  })
  return `WITH mine AS (SELECT tag_id FROM article_tags WHERE article_id = ${article}),
  shared AS (SELECT article_id, count(*)::integer AS tags FROM article_tags JOIN mine USING (tag_id) GROUP BY 1)
  (${tagged}) UNION ALL (${untagged})`
}

const toSearch = (pattern: string): string =>
  `(a.title ILIKE ${pattern} OR a.description ILIKE ${pattern})`

/** A text to look for anywhere, its own `%`, `_` and `\` taken literally. */
export const toPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const toDate = (milliseconds = 0): Date => new Date(milliseconds)
