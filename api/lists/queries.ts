import { CARD_COLUMNS, CARD_JOINS, type CardRow } from '../content/card.ts'
import { toVisibleCondition } from '../content/visible.ts'
import type { SortKey } from '../cursor.ts'
import type { Query, SqlStatement } from '../database.ts'
import type { SiteState } from '../site/resolve.ts'
import { createBinder } from '../sql.ts'
import {
  type ListQuery,
  type ListScope,
  type ListSelection,
  toListQueries,
} from './list-queries.ts'

export interface ListRequest {
  site: SiteState
  selection: ListSelection
  language?: string | undefined
  /** `YYYY-MM`, in UTC. */
  month?: string | undefined
  limit: number
  /** Sort key of the last row of the previous page; undefined for the first page. */
  after?: SortKey | undefined
}

export interface RankedRow extends CardRow {
  rank: number | null
}

/** Reads one page of a list, newest first within each rank. */
export async function readList(query: Query, list: ListRequest): Promise<RankedRow[]> {
  const rows: RankedRow[] = []
  for (const listQuery of toListQueries(list.selection, list.after)) {
    const limit = list.limit - rows.length
    if (limit > 0)
      rows.push(...(await query<RankedRow>(toStatement(listQuery, { ...list, limit }))))
  }
  return rows
}

/** Returns the sort key of a row; undefined if `published_at` is `-infinity`, which sorts last. */
export function toSortKey({ rank, published_at, id }: RankedRow): SortKey | undefined {
  const sortKey = [...(rank === null ? [] : [rank]), Number(published_at), id]
  return sortKey.every(Number.isSafeInteger) ? sortKey : undefined
}

function toStatement(listQuery: ListQuery, list: ListRequest): SqlStatement {
  const { bind, finish } = createBinder()
  const limit = bind(list.limit)
  const scope = { bind, limit, visible: toVisible(list, bind), after: list.after }
  const statement = finish(`
SELECT a.rank, ${CARD_COLUMNS}
FROM (${listQuery(scope)}) a ${CARD_JOINS}
ORDER BY a.rank DESC, a.published_at DESC, a.id DESC
LIMIT ${limit}`)
  // The best plan of a search depends on the text.
  return { ...statement, prepare: list.selection.by !== 'search' }
}

function toVisible({ site, language, month }: ListRequest, bind: ListScope['bind']): string {
  const conditions = [`a.site_id = ${bind(site.id)}`, toVisibleCondition('a', bind(site.now))]
  if (language !== undefined) conditions.push(`a.language = ${bind(language)}`)
  if (month !== undefined) {
    const start = `${bind(`${month}-01T00:00:00Z`)}::timestamptz`
    conditions.push(`a.published_at >= ${start} AND a.published_at < ${start} + interval '1 month'`)
  }
  return conditions.join(' AND ')
}
