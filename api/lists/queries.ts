import { CARD_COLUMNS, CARD_JOINS, type CardRow } from '../content/card.ts'
import { isVisible } from '../content/visible.ts'
import type { Position } from '../cursor.ts'
import type { Query, Statement } from '../database.ts'
import type { SiteState } from '../site/resolve.ts'
import { createBinder } from '../sql.ts'
import { type ListQuery, type Scope, type Selection, toListQueries } from './list-queries.ts'

export interface ListRequest {
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
export async function readList(query: Query, list: ListRequest): Promise<RankedRow[]> {
  const rows: RankedRow[] = []
  for (const listQuery of toListQueries(list.selection, list.after)) {
    const limit = list.limit - rows.length
    if (limit > 0)
      rows.push(...(await query<RankedRow>(toStatement(listQuery, { ...list, limit }))))
  }
  return rows
}

/** Returns the sort key of a row for a cursor; undefined when a part is not a number (`-infinity`, which sorts last). */
export function toPosition({ rank, published_at, id }: RankedRow): Position | undefined {
  const position = [...(rank === null ? [] : [rank]), Number(published_at), id]
  return position.every(Number.isSafeInteger) ? position : undefined
}

function toStatement(listQuery: ListQuery, list: ListRequest): Statement {
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

function toVisible({ site, language, month }: ListRequest, bind: Scope['bind']): string {
  const conditions = [`a.site_id = ${bind(site.id)}`, isVisible('a', bind(site.now))]
  if (language !== undefined) conditions.push(`a.language = ${bind(language)}`)
  if (month !== undefined) {
    const start = `${bind(`${month}-01T00:00:00Z`)}::timestamptz`
    conditions.push(`a.published_at >= ${start} AND a.published_at < ${start} + interval '1 month'`)
  }
  return conditions.join(' AND ')
}
