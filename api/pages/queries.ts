import { AUTHOR_DETAIL_JSON, type AuthorDetailRow } from '../content/author.ts'
import {
  ARTICLE_COLUMNS,
  CARD_JOINS,
  type CardRow,
  type CategoryRow,
  toCategoryJson,
} from '../content/card.ts'
import { type ImageRow, toImageCondition, toImageJson } from '../content/image.ts'
import { toArticleCondition, toVisibleCondition } from '../content/visible.ts'
import type { Query } from '../database.ts'
import type { SiteState } from '../site/resolve.ts'
import { createBinder, limitText } from '../sql.ts'

/** Determines which row is read. */
export interface ArticleKey {
  site: SiteState
  slug: string
  language: string | undefined
  /** Number of the snapshot that replaces columns of the live row. */
  version?: number | undefined
  /** Whether unpublished articles are included. */
  includesUnpublished: boolean
}

export interface ArticleRow extends Omit<CardRow, 'published_at' | 'author'> {
  subtitle: string | null
  body_html: string
  published_at: Date | null
  created_at: Date
  show_in_homepage: boolean
  category_id: number | null
  seo_title: string | null
  seo_description: string | null
  seo_canonical_url: string | null
  seo_robots: string | null
  seo_image: ImageRow | null
  author: AuthorDetailRow | null
  /** From the root category to the category of the article. */
  categories: CategoryRow[] | null
  tags: { id: number; slug: string; name: string }[] | null
  alternates: { id: number; slug: string; language: string }[] | null
}

// The snapshot replaces the columns that the database function business_columns() lists. The others are those of the
// live row.
const ARTICLES_AT_VERSION = `articles live
JOIN article_versions version ON version.article_id = live.id
CROSS JOIN LATERAL jsonb_populate_record(live, to_overlay(version.snapshot)) a`

/** Reads one article with all data of its page except related articles; undefined when there is none. */
export async function readArticle(query: Query, key: ArticleKey): Promise<ArticleRow | undefined> {
  const { bind, finish } = createBinder()
  const now = bind(key.site.now)
  const conditions = [`a.site_id = ${bind(key.site.id)}`, `a.slug = ${bind(key.slug)}`]
  conditions.push(key.includesUnpublished ? toArticleCondition('a') : toVisibleCondition('a', now))
  if (key.language !== undefined) conditions.push(`a.language = ${bind(key.language)}`)
  if (key.version !== undefined) conditions.push(`version.version = ${bind(key.version)}`)
  const [row] = await query<ArticleRow>(
    finish(`
SELECT ${ARTICLE_COLUMNS}, ${limitText('a.subtitle', 'line')} AS subtitle, a.body_html, a.created_at,
  a.show_in_homepage, category.id AS category_id, ${limitText('a.seo_title', 'line')} AS seo_title,
  ${limitText('a.seo_description', 'text')} AS seo_description, ${limitText('a.seo_canonical_url', 'line')} AS seo_canonical_url,
  ${limitText('a.seo_robots', 'name')} AS seo_robots, ${toImageJson('seo_image')} AS seo_image,
  CASE WHEN author.id IS NOT NULL THEN ${AUTHOR_DETAIL_JSON} END AS author, ${CATEGORIES} AS categories, ${TAGS} AS tags, ${toAlternatesJson(now)} AS alternates
FROM ${key.version === undefined ? 'articles a' : ARTICLES_AT_VERSION} ${CARD_JOINS}
LEFT JOIN images seo_image ON seo_image.id = a.seo_image_id AND ${toImageCondition('seo_image', 'a.site_id')}
WHERE ${conditions.join(' AND ')}
ORDER BY a.language = ${bind(key.site.defaultLanguage)} DESC, a.created_at, a.id
LIMIT 1`),
  )
  return row
}

/** Maximum number of parents of a category that are read. */
const MAX_DEPTH = 20

const CATEGORIES = `(WITH RECURSIVE up AS (
      SELECT c.id, c.parent_id, 0 AS height FROM categories c WHERE c.id = a.category_id AND c.site_id = a.site_id
      UNION ALL SELECT c.id, c.parent_id, up.height + 1 FROM categories c JOIN up ON c.id = up.parent_id
      WHERE c.site_id = a.site_id AND up.height < ${MAX_DEPTH}) CYCLE id SET is_cycle USING path
    SELECT json_agg(${toCategoryJson('c')} ORDER BY up.height DESC)
    FROM up JOIN categories c USING (id) WHERE NOT up.is_cycle)`

const TAGS = `(SELECT json_agg(json_build_object('id', tag.id, 'slug', ${limitText('tag.slug', 'name')},
    'name', ${limitText('tag.name', 'name')}) ORDER BY tag.slug)
    FROM article_tags JOIN tags tag ON tag.id = tag_id AND tag.site_id = a.site_id WHERE article_id = a.id)`

const toAlternatesJson = (now: string): string => `(
    SELECT json_agg(json_build_object('id', other.id, 'slug', ${limitText('other.slug', 'name')},
      'language', ${limitText('other.language', 'name')}) ORDER BY other.language)
    FROM articles other WHERE other.site_id = a.site_id AND other.translation_group = a.translation_group
      AND ${toVisibleCondition('other', now)})`

/** Reads the languages in which a slug is published. */
export function readLanguages(
  query: Query,
  { site, slug }: Pick<ArticleKey, 'site' | 'slug'>,
): Promise<{ language: string }[]> {
  const text = `SELECT a.language FROM articles a
  WHERE a.site_id = $1 AND a.slug = $2 AND ${toVisibleCondition('a', '$3')} ORDER BY a.language`
  return query({ text, values: [site.id, slug, site.now] })
}
