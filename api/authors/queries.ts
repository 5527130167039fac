import { AUTHOR_DETAIL_JSON, type AuthorDetailRow } from '../content/author.ts'
import { toImageCondition } from '../content/image.ts'
import { toVisibleCondition } from '../content/visible.ts'
import type { Query } from '../database.ts'
import type { SiteState } from '../site/resolve.ts'

/** Reads an active author; undefined when there is none. */
export async function readAuthor(
  query: Query,
  site: SiteState,
  slug: string,
): Promise<AuthorDetailRow | undefined> {
  const text = `SELECT ${AUTHOR_DETAIL_JSON} AS author FROM authors author
  LEFT JOIN images author_image ON author_image.id = author.image_id AND ${toImageCondition('author_image', 'author.site_id')}
  WHERE author.site_id = $1 AND author.slug = $2 AND author.active ORDER BY author.id LIMIT 1`
  const [row] = await query<{ author: AuthorDetailRow }>({ text, values: [site.id, slug] })
  return row?.author
}

export interface AuthorStats {
  count: number
  latest: Date | null
}

/** Counts the author's articles that are visible now, in every language. */
export async function readAuthorStats(
  query: Query,
  site: SiteState,
  authorId: number,
): Promise<AuthorStats> {
  const text = `SELECT count(*)::integer AS count, max(a.published_at) AS latest FROM articles a
  WHERE a.site_id = $1 AND a.author_id = $2 AND ${toVisibleCondition('a', '$3')}`
  const [stats] = await query<AuthorStats>({ text, values: [site.id, authorId, site.now] })
  return stats ?? { count: 0, latest: null }
}
