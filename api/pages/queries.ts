import type { BylineRow } from '../content/author.ts'
import { ARTICLE_COLUMNS, CARD_JOINS, type CardRow, type CategoryRow } from '../content/card.ts'
import type { ImageRow } from '../content/image.ts'
import { isArticle, isVisible } from '../content/visible.ts'
import type { Query } from '../database.ts'
import type { SiteState } from '../site/resolve.ts'
import { createBinder } from '../sql.ts'

export interface ArticleKey {
  site: SiteState
  slug: string
  language: string | undefined
  /** A snapshot to lay over the live row. */
  version?: number | undefined
  /** Unpublished articles too. */
  preview: boolean
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
  author: BylineRow | null
  /** From the root to the article's own. */
  categories: CategoryRow[] | null
  tags: { id: number; slug: string; name: string }[] | null
  alternates: { slug: string; language: string }[] | null
}

// What a version may change; the rest is the identity of the live row.
const BUSINESS_COLUMNS = `'{title, subtitle, description, body_html, word_count, category_id, author_id, image_id,
  is_featured, show_in_homepage, homepage_position, seo_title, seo_description, seo_canonical_url, seo_robots,
  seo_image_id, updated_at}'::text[]`

const OVERLAID = `articles live
JOIN article_versions version ON version.article_id = live.id
CROSS JOIN LATERAL jsonb_populate_record(live, (SELECT jsonb_object_agg(key, value)
  FROM jsonb_each(version.snapshot) WHERE key = ANY (${BUSINESS_COLUMNS}))) a`

/** Reads one article with everything its page shows but the related ones; undefined: there is none to be seen. */
export async function readArticle(query: Query, key: ArticleKey): Promise<ArticleRow | undefined> {
  const { bind, finish } = createBinder()
  const now = bind(key.site.now)
  const conditions = [`a.site_id = ${bind(key.site.id)}`, `a.slug = ${bind(key.slug)}`]
  conditions.push(key.preview ? isArticle('a') : isVisible('a', now))
  if (key.language !== undefined) conditions.push(`a.language = ${bind(key.language)}`)
  if (key.version !== undefined) conditions.push(`version.version = ${bind(key.version)}`)
  const [row] = await query<ArticleRow>(
    finish(`
SELECT ${ARTICLE_COLUMNS}, a.subtitle, a.body_html, a.created_at, a.show_in_homepage, a.category_id,
  a.seo_title, a.seo_description, a.seo_canonical_url, a.seo_robots, to_json(seo_image) AS seo_image,
  ${BYLINE} AS author, ${CATEGORIES} AS categories, ${TAGS} AS tags, ${toAlternates(now)} AS alternates
FROM ${key.version === undefined ? 'articles a' : OVERLAID} ${CARD_JOINS}
LEFT JOIN images seo_image ON seo_image.id = a.seo_image_id
WHERE ${conditions.join(' AND ')}
ORDER BY a.language = ${bind(key.site.defaultLanguage)} DESC, a.created_at, a.id
LIMIT 1`),
  )
  return row
}

const BYLINE = `CASE WHEN author.id IS NOT NULL
    THEN jsonb_set(to_jsonb(author), '{image}', coalesce(to_jsonb(author_image), 'null')) END`

const CATEGORIES = `(WITH RECURSIVE up AS (
      SELECT c.*, 0 AS height FROM categories c WHERE c.id = a.category_id
      UNION ALL SELECT c.*, up.height + 1 FROM categories c JOIN up ON c.id = up.parent_id WHERE up.height < 20)
    SELECT json_agg(json_build_object('slug', slug, 'name', name, 'language', language) ORDER BY height DESC)
    FROM up)`

const TAGS = `(SELECT json_agg(json_build_object('id', tag.id, 'slug', tag.slug, 'name', tag.name) ORDER BY tag.slug)
    FROM article_tags JOIN tags tag ON tag.id = tag_id WHERE article_id = a.id)`

const toAlternates = (now: string): string => `(
    SELECT json_agg(json_build_object('slug', other.slug, 'language', other.language) ORDER BY other.language)
    FROM articles other WHERE other.site_id = a.site_id AND other.translation_group = a.translation_group
      AND ${isVisible('other', now)})`

/** The languages in which a slug is published, for a caller who asked for another. */
export function readLanguages(
  query: Query,
  { site, slug }: Pick<ArticleKey, 'site' | 'slug'>,
): Promise<{ language: string }[]> {
  const text = `SELECT a.language FROM articles a
  WHERE a.site_id = $1 AND a.slug = $2 AND ${isVisible('a', '$3')} ORDER BY a.language`
  return query({ text, values: [site.id, slug, site.now] })
}
