import { languageCodesOf, toTranslations } from '../pages/page-model.ts'
import type { RenderContext, RenderedFile } from '../render-context.ts'
import { toSitemapPath } from '../route-path.ts'
import { toUrl } from '../url.ts'
import { element, textElement, toXmlDocument } from './xml.ts'

// sitemaps.org allows at most 50,000 URLs per part and 50,000 parts per index.
const URLS_PER_PART = 5000
const MAX_PARTS = 2000
const NAMESPACE = { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' }

/**
 * Renders the sitemap's index; reads all parts, because their paths contain cursors. Returns undefined for an
 * unknown site.
 *
 * @throws Error when a part is missing: an incomplete index would hide pages from crawlers
 */
export async function renderSitemapIndex(
  context: RenderContext,
): Promise<RenderedFile | undefined> {
  const parts: string[] = []
  let cursor: string | undefined
  do {
    const part = await context.api.sitemap({ limit: URLS_PER_PART, ...(cursor && { cursor }) })
    if (part.type === 'not-found' && cursor)
      throw new Error(
        `The read API has no sitemap part at cursor "${cursor}", which it returned itself`,
      )
    if (part.type === 'not-found') return undefined
    const { urls, next_cursor } = part.value
    const url = toUrl(toSitemapPath(cursor), context.canonicalOrigin)
    parts.push(toEntry('sitemap', url, findNewest(urls.map((each) => each.updated_at))))
    cursor = next_cursor ?? undefined
  } while (cursor && parts.length < MAX_PARTS)
  return toFile(element('sitemapindex', parts.join(''), NAMESPACE))
}

/** Renders a part; the first includes home pages and static pages. Returns undefined for an unknown cursor. */
export async function renderSitemap(
  cursor: string | undefined,
  context: RenderContext,
): Promise<RenderedFile | undefined> {
  const part = await context.api.sitemap({ limit: URLS_PER_PART, ...(cursor && { cursor }) })
  if (part.type === 'not-found') return undefined
  const { urls, static_pages } = part.value
  const pages = new Set([
    ...(cursor ? [] : toHomePaths(context)),
    ...static_pages.map(({ path }) => path),
  ])
  const toLoc = (path: string) => toUrl(path, context.canonicalOrigin)
  const entries = [
    ...[...pages].map((path) => toEntry('url', toLoc(path))),
    ...urls.map(({ path, updated_at }) => toEntry('url', toLoc(path), updated_at)),
  ]
  return toFile(element('urlset', entries.join(''), NAMESPACE))
}

function toHomePaths(context: RenderContext): string[] {
  const home = { type: 'home', language: context.settings.site.default_language } as const
  return toTranslations(home, languageCodesOf(context), context).map(({ path }) => path)
}

function toEntry(name: 'sitemap' | 'url', loc: string, modified?: string): string {
  return element(name, textElement('loc', loc) + (modified ? textElement('lastmod', modified) : ''))
}

const findNewest = (instants: readonly string[]): string | undefined => instants.toSorted().at(-1)

const toFile = (root: string): RenderedFile => ({
  contentType: 'application/xml; charset=utf-8',
  body: toXmlDocument(root),
})
