import type { SitemapUrl, StaticPage } from '../../contract/sitemap.ts'
import { toArticlePath } from '../content/paths.ts'
import { isVisible } from '../content/visible.ts'
import type { Position } from '../cursor.ts'
import type { Query } from '../database.ts'
import type { SiteState } from '../site/resolve.ts'
import { createBinder } from '../sql.ts'

export interface SitemapQuery {
  site: SiteState
  since: Date | undefined
  limit: number
  after: Position | undefined
}

// Instants come as PostgreSQL writes them: a hundred thousand dates would be parsed only to be written again.
interface Row {
  id: number
  slug: string
  language: string
  published_at: string
  updated_at: string
}

/** Reads what a site wants found, oldest first: earlier parts never shift. */
export async function readSitemap(query: Query, part: SitemapQuery): Promise<SitemapUrl[]> {
  const { site, since, after } = part
  const { bind, finish } = createBinder()
  const conditions = [`a.site_id = ${bind(site.id)}`, isVisible('a', bind(site.now))]
  conditions.push('(a.is_featured OR a.show_in_homepage)')
  if (since) conditions.push(`a.published_at >= ${bind(since)}`)
  if (after) {
    const [publishedAt = 0, id] = after
    conditions.push(`(a.published_at, a.id) > (${bind(new Date(publishedAt))}, ${bind(id)})`)
  }
  const rows = await query<Row>(
    finish(`SELECT a.id, a.slug, a.language, a.published_at::text, a.updated_at::text FROM articles a
  WHERE ${conditions.join(' AND ')} ORDER BY a.published_at, a.id LIMIT ${bind(part.limit)}`),
  )
  return rows.map((row) => toUrl(row, site))
}

const toUrl = (
  { id, slug, language, published_at, updated_at }: Row,
  site: SiteState,
): SitemapUrl => ({
  id,
  path: toArticlePath(slug, language, site),
  language,
  published_at: toInstant(published_at),
  updated_at: toInstant(updated_at),
})

// `2026-11-21 06:20:00.5+00`, in a session whose zone is UTC.
const toInstant = (text: string): string =>
  `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`

export const toPosition = ({ published_at, id }: SitemapUrl): Position => [
  Date.parse(published_at),
  id,
]

/** The home page, and what the navigation leads to that is a page of its own. */
export async function readStaticPages(query: Query, site: SiteState): Promise<StaticPage[]> {
  const text = `SELECT n.path, n.label, n.language FROM navigation_items n
  JOIN template_elements e ON e.type = 'page' AND n.path = '/' || e.key
  WHERE n.site_id = $1 ORDER BY n.area DESC, n.position, n.id`
  const rows = await query<{ path: string; label: string; language: string | null }>({
    text,
    values: [site.id],
  })
  const pages = rows.map(({ path, label, language }) => {
    const prefix = language === null || language === site.defaultLanguage ? '' : `/${language}`
    return { path: prefix + path, title: label }
  })
  // The first of two links to a page names it.
  const isFirst = ({ path }: StaticPage, i: number): boolean =>
    pages.findIndex((page) => page.path === path) === i
  return [{ path: '/', title: site.name }, ...pages.filter(isFirst)]
}
