import type { RenderContext } from '../render-context.ts'
import { type RenderedPage, renderNotFound, renderRoute } from '../render-route.ts'
import { decideRoute } from '../route.ts'
import { contextBut } from './fixtures.ts'

/** Renders the page at a path, or the not-found page; rejects for a redirect. */
export async function renderPath(
  path: string,
  changes: Partial<RenderContext> = {},
): Promise<RenderedPage> {
  const context = contextBut(changes)
  const rendered = await renderRoute(decideRoute(path, context.settings), context)
  if (rendered.type === 'redirect') throw new Error(`${path} redirects to ${rendered.location}`)
  return rendered.type === 'page' ? rendered : renderNotFound(rendered, context)
}

/** Returns the texts that the first group of a pattern matches. */
export const findAll = (body: string, pattern: RegExp): string[] =>
  [...body.matchAll(pattern)].map(([, text = '']) => text)

/** Returns the JSON-LD nodes of a page. */
export function readJsonLd(body: string): Record<string, unknown>[] {
  const [json = ''] = findAll(body, /<script type="application\/ld\+json">(.*?)<\/script>/g)
  return JSON.parse(json)['@graph']
}
