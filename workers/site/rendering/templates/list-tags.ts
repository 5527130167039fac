import * as z from 'zod/mini'
import { ListParameters } from '../../../../contract/list.ts'
import type { RenderContext } from '../render-context.ts'
import type { FetchLists, View } from './template-renderer.ts'

const MAX_LISTS = 12

/** Fetches the lists of a template's `list` tags at once; for an unknown category or an invalid parameter the list is empty. */
export function createFetchLists(language: string, context: RenderContext): FetchLists {
  const fetchList = async (variable: string, hash: View) => {
    const query = parseQuery({ language, ...hash })
    if (!query) {
      context.warn('A list tag has invalid parameters', { list: variable })
      return [variable, []]
    }
    const answer = await context.api.list(query)
    return [variable, answer.type === 'ok' ? answer.value.items : []]
  }
  return async (lists) => {
    const wanted = [...lists].slice(0, MAX_LISTS)
    return Object.fromEntries(
      await Promise.all(wanted.map(([name, hash]) => fetchList(name, hash))),
    )
  }
}

function parseQuery(hash: View): ListParameters | undefined {
  const given = Object.entries(hash).filter(([, value]) => value !== undefined && value !== null)
  const result = z.safeParse(
    ListParameters,
    Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  )
  return result.success ? result.data : undefined
}
