import { CARD_COLUMNS, CARD_JOINS, type CardRow } from '../content/card.ts'
import { isVisible } from '../content/visible.ts'
import type { Position } from '../cursor.ts'
import type { Query, Statement } from '../database.ts'
import type { SiteState } from '../site/resolve.ts'
import { createBinder } from '../sql.ts'
import { type Scope, type Selection, type Step, toSteps } from './list-queries.ts'

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
export async function readList(query: Query, list: ListQuery): Promise<RankedRow[]> {
  const rows: RankedRow[] = []
  for (const step of toSteps(list.selection, list.after)) {
    const limit = list.limit - rows.length
    if (limit > 0) rows.push(...(await query<RankedRow>(toStatement(step, { ...list, limit }))))
  }
  return rows
}

/** The sort key of a row, as a cursor holds it. */
export const toPosition = ({ rank, published_at, id }: RankedRow): Position =>
  rank === null ? [published_at.getTime(), id] : [rank, published_at.getTime(), id]

function toStatement(step: Step, list: ListQuery): Statement {
  const { bind, finish } = createBinder()
  const limit = bind(list.limit)
  const scope = { bind, limit, visible: toVisible(list, bind), after: list.after }
  const statement = finish(`
SELECT a.rank, ${CARD_COLUMNS}
FROM (${step(scope)}) a ${CARD_JOINS}
ORDER BY a.rank DESC, a.published_at DESC, a.id DESC
LIMIT ${limit}`)
  // How many rows hold a text is known only when the text is.
  return { ...statement, planned: list.selection.by === 'search' ? 'anew' : 'once' }
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
