import type { SitemapUrl, StaticPage } from '../../contract/sitemap.ts'
import { toArticlePath } from '../content/paths.ts'
import { toVisibleCondition } from '../content/visible.ts'
import type { SortKey } from '../cursor.ts'
import type { Query } from '../database.ts'
import { withSourceRow } from '../omissions/source-row.ts'
import type { SiteState } from '../site/resolve.ts'
import { createBinder, limitText } from '../sql.ts'

export interface SitemapQuery {
  site: SiteState
  since: Date | undefined
  limit: number
  /** Sort key of the last entry of the previous part; undefined for the first part. */
  after: SortKey | undefined
}

// Instants are text, because parsing and formatting a hundred thousand dates is slow.
interface Row {
  id: number
  slug: string
  language: string
  published_at: string
  updated_at: string | null
}

/** An entry of the sitemap, with its slug, so that the slug can be validated. */
export interface SitemapEntry extends SitemapUrl {
  slug: string
}

/** Reads entries of the sitemap, oldest first, so that new articles do not move entries to other parts. */
export async function readSitemap(query: Query, part: SitemapQuery): Promise<SitemapEntry[]> {
  const { site, since, after } = part
  const { bind, finish } = createBinder()
  const conditions = [`a.site_id = ${bind(site.id)}`, toVisibleCondition('a', bind(site.now))]
  conditions.push('(a.is_featured OR a.show_in_homepage)')
  if (since) conditions.push(`a.published_at >= ${bind(since)}`)
  if (after) {
    const [publishedAt = 0, id] = after
    conditions.push(`(a.published_at, a.id) > (${bind(new Date(publishedAt))}, ${bind(id)})`)
  }
  // Texts are cut one character after the limit of the contract, so that a longer one fails validation.
  const rows = await query<Row>(
    finish(`SELECT a.id, left(a.slug, 201) AS slug, left(a.language, 36) AS language, a.published_at::text,
    a.updated_at::text FROM articles a
  WHERE ${conditions.join(' AND ')} ORDER BY a.published_at, a.id LIMIT ${bind(part.limit)}`),
  )
  return rows.map((row) => toUrl(row, site))
}

const toUrl = (
  { id, slug, language, published_at, updated_at }: Row,
  site: SiteState,
): SitemapEntry => ({
  id,
  slug,
  path: toArticlePath(slug, language, site),
  language,
  published_at: toInstant(published_at),
  updated_at: toInstant(updated_at),
})

// Converts a text such as `2026-11-21 06:20:00.5+00`; the time zone of the session is UTC. `-infinity` and null become
// a text that does not match the contract.
const toInstant = (text: string | null): string =>
  text === null
    ? ''
    : `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`

/** Sort key of a row whose `published_at` is `-infinity`; earlier than every valid instant. */
const LONG_AGO = Date.parse('0001-01-01T00:00:00Z')

export function toSortKey({ published_at, id }: SitemapUrl): SortKey {
  const milliseconds = Date.parse(published_at)
  return [Number.isNaN(milliseconds) ? LONG_AGO : milliseconds, id]
}

/** Returns the home page, and the static pages (templates of type `page`) to which the navigation links. */
export async function readStaticPages(query: Query, site: SiteState): Promise<StaticPage[]> {
  const text = `SELECT n.id, ${limitText('n.path', 'line')} AS path, ${limitText('n.label', 'name')} AS label,
    ${limitText('n.language', 'name')} AS language FROM navigation_items n
  JOIN template_elements e ON e.type = 'page' AND n.path = '/' || e.key
  WHERE n.site_id = $1 ORDER BY n.area DESC, n.position, n.id`
  const rows = await query<{ id: number; path: string; label: string; language: string | null }>({
    text,
    values: [site.id],
  })
  const pages = rows.map(({ id, path, label, language }) => {
    const prefix = language === null || language === site.defaultLanguage ? '' : `/${language}`
    return withSourceRow('navigation_items', id, { path: prefix + path, title: label })
  })
  // The title of a page is the label of its first link.
  const isFirst = ({ path }: StaticPage, i: number): boolean =>
    pages.findIndex((page) => page.path === path) === i
  return [{ path: '/', title: site.name }, ...pages.filter(isFirst)]
}
