import type { RenderContext } from '../render-context.ts'
import { type Rendered, renderRoute } from '../render-route.ts'
import { decideRoute } from '../route.ts'
import { findAll } from './render.ts'

/** Renders a page and all pages that its links lead to, directly or not; returns the results by path. */
export async function crawl(start: string, context: RenderContext): Promise<Map<string, Rendered>> {
  const results = new Map<string, Rendered>()
  const queue = [start]
  for (const path of queue) {
    if (results.has(path)) continue
    const url = new URL(path, context.canonicalOrigin)
    const rendered = await renderRoute(decideRoute(url.pathname, context.settings), context)
    results.set(path, rendered)
    if (rendered.type === 'page') queue.push(...linksOf(rendered.body, context))
  }
  return results
}

/** Returns the paths of a page's links within the site, without media. */
function linksOf(body: string, { canonicalOrigin }: RenderContext): string[] {
  return findAll(body, /<(?:a|link)\b[^>]*\bhref="([^"]*)"/g)
    .map((href) => new URL(href.replaceAll('&amp;', '&'), canonicalOrigin))
    .filter(({ origin, pathname }) => origin === canonicalOrigin && !isMedia(pathname))
    .map(({ pathname }) => pathname)
}

const isMedia = (pathname: string): boolean => pathname.startsWith('/cmp-media/')
