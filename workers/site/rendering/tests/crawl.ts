import type { RenderContext } from '../render-context.ts'
import { type Rendered, renderRoute } from '../render-route.ts'
import { decideRoute } from '../route.ts'
import { findAll } from './render.ts'

/** Renders all pages that links from a path reach; returns the results by path. */
export async function crawl(start: string, context: RenderContext): Promise<Map<string, Rendered>> {
  const seen = new Map<string, Rendered>()
  const queue = [start]
  for (const path of queue) {
    if (seen.has(path)) continue
    const url = new URL(path, context.canonicalOrigin)
    const rendered = await renderRoute(decideRoute(url.pathname, context.settings), context)
    seen.set(path, rendered)
    if (rendered.type === 'page') queue.push(...linksOf(rendered.body, context))
  }
  return seen
}

/** Returns the paths of a page's links within the site, without media. */
function linksOf(body: string, { canonicalOrigin }: RenderContext): string[] {
  return findAll(body, /<(?:a|link)\b[^>]*\bhref="([^"]*)"/g)
    .map((href) => new URL(href.replaceAll('&amp;', '&'), canonicalOrigin))
    .filter(({ origin, pathname }) => origin === canonicalOrigin && !isMedia(pathname))
    .map(({ pathname }) => pathname)
}

const isMedia = (pathname: string): boolean => pathname.startsWith('/cmp-media/')
