import type { Query } from '../database.ts'
import { type ReferenceArticle, toListQueries } from '../lists/list-queries.ts'
import type { SiteState } from '../site/resolve.ts'
import { createBinder } from '../sql.ts'

/** Rows of the change log after one revision, up to and including another. */
export interface RevisionRange {
  siteId: number
  after: bigint
  until: bigint
}

export interface ChangeRow {
  /** Id of the row in the change log. */
  id: string
  /** `article`, `settings` or `scores`. */
  kind: string
  article_id: number
  before: unknown
  after: unknown
  category_id: number | null
  /** Null when no list of related articles is affected. */
  tag_ids: number[] | null
}

/** Whether the change log has all changes after a revision: it has them until that revision is pruned. */
export async function hasRevision(
  query: Query,
  siteId: number,
  revision: bigint,
): Promise<boolean> {
  const text = 'SELECT FROM revisions WHERE site_id = $1 AND revision = $2'
  return (await query({ text, values: [siteId, revision] })).length > 0
}

/** Returns the revision with the `limit`th row of the range; the last revision of the range if it has fewer rows. */
export async function findLastRevision(
  query: Query,
  range: RevisionRange,
  limit: number,
): Promise<bigint> {
  const text = `SELECT revision FROM changes ${IN_RANGE} ORDER BY revision, id OFFSET $4 LIMIT 1`
  const values = [...toRangeValues(range), limit - 1]
  const [last] = await query<{ revision: string }>({ text, values })
  return last ? BigInt(last.revision) : range.until
}

export function readChangeRows(query: Query, range: RevisionRange): Promise<ChangeRow[]> {
  const text = `SELECT id, kind, article_id, before, after, category_id, tag_ids FROM changes ${IN_RANGE}
  ORDER BY revision, id`
  return query({ text, values: toRangeValues(range) })
}

const IN_RANGE = 'WHERE site_id = $1 AND revision > $2 AND revision <= $3'
const toRangeValues = ({ siteId, after, until }: RevisionRange) => [siteId, after, until]

/** Slug and language are cut, because a database without our constraints may have texts of any length. */
export interface ArticleRefRow {
  slug: string
  language: string
}

/** Reads the translations of each changed article, in its translation groups before and after the change. */
export function readTranslations(
  query: Query,
  range: RevisionRange,
  limit: number,
): Promise<(ArticleRefRow & { change_id: string })[]> {
  const text = `SELECT change.id AS change_id, left(a.slug, 1000) AS slug, left(a.language, 100) AS language
  FROM changes change JOIN articles a ON a.site_id = change.site_id
    AND a.translation_group = ANY (change.translation_groups) AND a.id <> change.article_id AND a.status = 'published'
  WHERE change.site_id = $1 AND change.revision > $2 AND change.revision <= $3 ORDER BY change.id, a.id LIMIT $4`
  return query({ text, values: [...toRangeValues(range), limit] })
}

/**
 * Reads the articles that may list `reference` as a related article, highest rank first, then newest first. They are
 * the articles that are related to `reference`, because the relation is symmetric.
 */
export async function readRelatedTo(
  query: Query,
  site: SiteState,
  reference: ReferenceArticle,
  limit: number,
): Promise<ArticleRefRow[]> {
  const rows: ArticleRefRow[] = []
  for (const listQuery of toListQueries({ by: 'related', ...reference }, undefined)) {
    if (rows.length >= limit) break
    const { bind, finish } = createBinder()
    const visible = `a.site_id = ${bind(site.id)} AND a.status = 'published' AND a.published_at <= ${bind(site.now)}`
    const scope = { bind, limit: bind(limit - rows.length), visible, after: undefined }
    const text = `SELECT left(a.slug, 1000) AS slug, left(a.language, 100) AS language FROM (${listQuery(scope)}) a`
    rows.push(...(await query<ArticleRefRow>(finish(text))))
  }
  return rows
}
