import { ListParameters, ListResponse } from '../../contract/list.ts'
import { toListItem } from '../content/card.ts'
import type { Cursors } from '../cursor.ts'
import type { Query } from '../database.ts'
import { defineEndpoint } from '../endpoint.ts'
import type { SiteState } from '../site/resolve.ts'
import { findSelection } from './find-selection.ts'
import { readList, toSortKey } from './queries.ts'

export const createListEndpoint = (query: Query, cursors: Cursors) =>
  defineEndpoint({
    policy: 'list',
    path: '/lists',
    summary: 'Cards of a list, a page at a time',
    parameters: ListParameters,
    response: ListResponse,
    read: async ({ site, parameters }) => {
      const { language, month, limit, cursor } = parameters
      const listKey = toListKey(site, parameters)
      const after = cursor === undefined ? undefined : await cursors.read(cursor, listKey)
      const selection = await findSelection(query, site, parameters)
      // One row more than the limit shows that there is a next page.
      const list = { site, selection, language, month, limit: limit + 1, after }
      const rows = await readList(query, list)
      const page = rows.slice(0, limit)
      const last = rows.length > limit ? page.at(-1) : undefined
      const sortKey = last && toSortKey(last)
      const value = {
        items: page.map((row) => toListItem(row, site)),
        next_cursor: sortKey ? await cursors.write(sortKey, listKey) : null,
      }
      return { type: 'value', value }
    },
  })

/** Identifies a list in its cursors. The limit is not part of it, so a cursor is valid for any page size. */
function toListKey(site: SiteState, parameters: ListParameters): string {
  const { limit: _limit, cursor: _cursor, ...list } = parameters
  return JSON.stringify(['list', site.id, list])
}
