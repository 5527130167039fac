import { languagesOf, toTranslations } from '../pages/page-model.ts'
import type { File, RenderContext } from '../render-context.ts'
import { toSitemapPath } from '../route-path.ts'
import { toUrl } from '../url.ts'
import { element, textElement, toXmlDocument } from './xml.ts'

// sitemaps.org: at most 50,000 URLs a part and 50,000 parts an index.
const URLS_PER_PART = 5000
const MAX_PARTS = 2000
const NAMESPACE = { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' }

/**
 * Reads the whole sitemap, a part at a time, for the cursors in the parts' paths. Undefined when the site is unknown.
 * @throws Error when a part is missing: a shortened index would hide pages from crawlers
 */
export async function renderSitemapIndex(context: RenderContext): Promise<File | undefined> {
  const parts: string[] = []
  let cursor: string | undefined
  do {
    const part = await context.api.sitemap({ limit: URLS_PER_PART, ...(cursor && { cursor }) })
    if (part.type === 'not-found' && cursor) throw new Error(`The sitemap ends before ${cursor}`)
    if (part.type === 'not-found') return undefined
    const { urls, next_cursor } = part.value
    const url = toUrl(toSitemapPath(cursor), context.canonicalOrigin)
    parts.push(toEntry('sitemap', url, newest(urls.map((each) => each.updated_at))))
    cursor = next_cursor ?? undefined
  } while (cursor && parts.length < MAX_PARTS)
  return toFile(element('sitemapindex', parts.join(''), NAMESPACE))
}

/** One part; the first also lists the static pages. Undefined when the cursor is unknown. */
export async function renderSitemap(
  cursor: string | undefined,
  context: RenderContext,
): Promise<File | undefined> {
  const part = await context.api.sitemap({ limit: URLS_PER_PART, ...(cursor && { cursor }) })
  if (part.type === 'not-found') return undefined
  const { urls, static_pages } = part.value
  const pages = new Set([
    ...(cursor ? [] : homesOf(context)),
    ...static_pages.map(({ path }) => path),
  ])
  const toLoc = (path: string) => toUrl(path, context.canonicalOrigin)
  const entries = [
    ...[...pages].map((path) => toEntry('url', toLoc(path))),
    ...urls.map(({ path, updated_at }) => toEntry('url', toLoc(path), updated_at)),
  ]
  return toFile(element('urlset', entries.join(''), NAMESPACE))
}

function homesOf(context: RenderContext): string[] {
  const home = { type: 'home', language: context.settings.site.default_language } as const
  return toTranslations(home, languagesOf(context), context).map(({ path }) => path)
}

function toEntry(name: 'sitemap' | 'url', loc: string, modified?: string): string {
  return element(name, textElement('loc', loc) + (modified ? textElement('lastmod', modified) : ''))
}

const newest = (instants: readonly string[]): string | undefined => instants.toSorted().at(-1)

const toFile = (root: string): File => ({
  contentType: 'application/xml; charset=utf-8',
  body: toXmlDocument(root),
})
