import { ListParameters, ListResponse } from '../../contract/list.ts'
import { toListItem } from '../content/card.ts'
import type { Cursors } from '../cursor.ts'
import type { Query } from '../database.ts'
import { defineEndpoint } from '../endpoint.ts'
import type { SiteState } from '../site/resolve.ts'
import { readList, toPosition } from './queries.ts'
import { findSelection } from './select.ts'

export const createListEndpoint = (query: Query, cursors: Cursors) =>
  defineEndpoint({
    policy: 'list',
    path: '/lists',
    summary: 'Cards of a list, a page at a time',
    parameters: ListParameters,
    response: ListResponse,
    read: async ({ site, parameters }) => {
      const { language, month, limit, cursor } = parameters
      const binding = toBinding(site, parameters)
      const after = cursor === undefined ? undefined : await cursors.read(cursor, binding)
      const selection = await findSelection(query, site, parameters)
      const list = { site, selection, language, month, limit: limit + 1, after }
      const rows = await readList(query, list)
      const page = rows.slice(0, limit)
      const last = rows.length > limit ? page.at(-1) : undefined
      const position = last && toPosition(last)
      const value = {
        items: page.map((row) => toListItem(row, site)),
        next_cursor: position ? await cursors.write(position, binding) : null,
      }
      return { type: 'value', value }
    },
  })

/** A cursor is valid only for the list that it came from, with any page size. */
function toBinding(site: SiteState, parameters: ListParameters): string {
  const { limit: _limit, cursor: _cursor, ...list } = parameters
  return JSON.stringify(['list', site.id, list])
}
