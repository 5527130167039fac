import type { ListItem } from '../../contract/list.ts'
import { toListItem } from '../content/card.ts'
import type { Query } from '../database.ts'
import { readList } from '../lists/queries.ts'
import type { SiteState } from '../site/resolve.ts'
import type { ArticleRow } from './queries.ts'

/** Reads the first `limit` items of the list of articles that are related to this one (`kind=related`). */
export async function readRelated(
  query: Query,
  { id, language, category_id: categoryId, tags }: ArticleRow,
  site: SiteState,
  limit: number,
): Promise<ListItem[]> {
  if (limit === 0) return []
  const tagIds = (tags ?? []).map((tag) => tag.id)
  const selection = { by: 'related', id, language, categoryId, tagIds } as const
  const rows = await readList(query, { site, selection, limit })
  return rows.map((row) => toListItem(row, site))
}
