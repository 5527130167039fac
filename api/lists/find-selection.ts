import * as z from 'zod/mini'
import type { ListParameters } from '../../contract/list.ts'
import { Slug } from '../../contract/primitives.ts'
import { toVisibleCondition } from '../content/visible.ts'
import type { Query } from '../database.ts'
import { notFound } from '../problem.ts'
import type { SiteState } from '../site/resolve.ts'
import type { ListSelection, ReferenceArticle } from './list-queries.ts'

/**
 * Returns the selection of a list, with the ids of the category, author or article that the parameters name.
 * @throws ApiError resource_not_found when there is no such row
 */
export async function findSelection(
  query: Query,
  site: SiteState,
  parameters: ListParameters,
): Promise<ListSelection> {
  const { kind, category = '', author_slug = '', related_to = '', q = '' } = parameters
  switch (kind) {
    case 'category':
      return { by: kind, ids: await findCategories(query, site, category) }
    case 'author':
      return { by: kind, id: await findAuthor(query, site, author_slug) }
    case 'related':
      return {
        by: kind,
        ...(await findReferenceArticle(query, site, related_to, parameters.language)),
      }
    case 'search':
      return { by: kind, q }
    default:
      return { by: kind }
  }
}

// A category has a row for each language, with the same slug.
async function findCategories(query: Query, site: SiteState, slug: string): Promise<number[]> {
  const text = 'SELECT id FROM categories WHERE site_id = $1 AND slug = $2 ORDER BY id'
  const rows = await queryBySlug<{ id: number }>(query, text, [site.id, slug])
  if (rows.length === 0) throw notFound('No category has this slug.')
  return rows.map(({ id }) => id)
}

async function findAuthor(query: Query, site: SiteState, slug: string): Promise<number> {
  const text = 'SELECT id FROM authors WHERE site_id = $1 AND slug = $2 AND active'
  const [row] = await queryBySlug<{ id: number }>(query, text, [site.id, slug])
  if (!row) throw notFound('No active author has this slug.')
  return row.id
}

async function findReferenceArticle(
  query: Query,
  site: SiteState,
  slug: string,
  language = site.defaultLanguage,
): Promise<ReferenceArticle> {
  const text = `SELECT a.id, a.language, (SELECT id FROM categories c WHERE c.id = a.category_id AND c.site_id = a.site_id) AS "categoryId",
    ARRAY(SELECT tag_id FROM article_tags JOIN tags tag ON tag.id = tag_id AND tag.site_id = a.site_id
      WHERE article_id = a.id) AS "tagIds" FROM articles a
  WHERE a.site_id = $1 AND a.slug = $2 AND ${toVisibleCondition('a', '$3')}
  ORDER BY a.language = $4 DESC, a.created_at, a.id LIMIT 1`
  const [row] = await queryBySlug<ReferenceArticle>(query, text, [
    site.id,
    slug,
    site.now,
    language,
  ])
  if (!row) throw notFound('No visible article has this slug.')
  return row
}

// `values[1]` is the slug. An invalid slug finds no row, without a query.
async function queryBySlug<Row>(query: Query, text: string, values: unknown[]): Promise<Row[]> {
  return z.safeParse(Slug, values[1]).success ? query<Row>({ text, values }) : []
}
