import * as z from 'zod/mini'
import { ListParameters } from '../../../../contract/list.ts'
import type { RenderContext } from '../render-context.ts'
import type { FetchLists, View } from './template-renderer.ts'

const MAX_LISTS = 12

/** Returns a function that fetches lists in parallel. Invalid parameters cause a warning and an empty list. */
export function createFetchLists(language: string, context: RenderContext): FetchLists {
  const fetchList = async (variable: string, hash: View) => {
    const query = parseQuery({ language, ...hash })
    if (!query) {
      context.warn('A list tag has invalid parameters', { list: variable })
      return [variable, []]
    }
    const result = await context.api.list(query)
    return [variable, result.type === 'ok' ? result.value.items : []]
  }
  return async (lists) => {
    const allowed = [...lists].slice(0, MAX_LISTS)
    return Object.fromEntries(
      await Promise.all(allowed.map(([name, hash]) => fetchList(name, hash))),
    )
  }
}

function parseQuery(hash: View): ListParameters | undefined {
  const parameters = Object.entries(hash).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  const result = z.safeParse(
    ListParameters,
    Object.fromEntries(parameters.map(([name, value]) => [name, String(value)])),
  )
  return result.success ? result.data : undefined
}
