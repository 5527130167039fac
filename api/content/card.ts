import type { AuthorCard } from '../../contract/author.ts'
import type { CategoryRef, ListItem } from '../../contract/list.ts'
import { withSourceRow } from '../omissions/source-row.ts'
import type { SiteState } from '../site/resolve.ts'
import { limitText } from '../sql.ts'
import { type ImageRow, toImage, toImageCondition, toImageJson } from './image.ts'
import { toInstant } from './instant.ts'
import { toArticlePath, toAuthorPath, toCategoryPath } from './paths.ts'

export interface CategoryRow {
  id: number
  slug: string
  name: string
  language: string
}
export interface AuthorRow {
  id: number
  slug: string
  name: string
  job_title: string | null
  image: ImageRow | null
}
export interface CardRow {
  id: number
  slug: string
  language: string
  title: string
  description: string | null
  content_type: string
  published_at: Date
  updated_at: Date
  word_count: number
  is_featured: boolean
  image: ImageRow | null
  category: CategoryRow | null
  author: AuthorRow | null
}

/** SQL expression: a joined row of `categories` as the JSON of a `CategoryRow`. */
export const toCategoryJson = (alias: string): string =>
  `json_build_object('id', ${alias}.id, 'slug', ${limitText(`${alias}.slug`, 'name')}, 'name', ${limitText(`${alias}.name`, 'name')},
    'language', ${limitText(`${alias}.language`, 'name')})`

/** Columns of an article `a` on cards and pages, for a statement with `CARD_JOINS`. */
export const ARTICLE_COLUMNS = `
  a.id, ${limitText('a.slug', 'name')} AS slug, ${limitText('a.language', 'name')} AS language, ${limitText('a.title', 'line')} AS title,
  ${limitText('a.description', 'text')} AS description, ${limitText('a.content_type', 'name')} AS content_type,
  a.published_at, a.updated_at, a.word_count, a.is_featured, ${toImageJson('image')} AS image,
  CASE WHEN category.id IS NOT NULL THEN ${toCategoryJson('category')} END AS category`

/** Columns of a `CardRow`, for a statement with `CARD_JOINS`. */
export const CARD_COLUMNS = `${ARTICLE_COLUMNS},
  CASE WHEN author.id IS NOT NULL THEN json_build_object(
    'id', author.id, 'slug', ${limitText('author.slug', 'name')}, 'name', ${limitText('author.name', 'name')},
    'job_title', ${limitText('author.job_title', 'name')}, 'image', ${toImageJson('author_image')}) END AS author`

/** Joins picture, category and author of an article `a`. Rows of other sites and inactive authors are not joined. */
export const CARD_JOINS = `
  LEFT JOIN images image ON image.id = a.image_id AND ${toImageCondition('image', 'a.site_id')}
  LEFT JOIN categories category ON category.id = a.category_id AND category.site_id = a.site_id
  LEFT JOIN authors author ON author.id = a.author_id AND author.site_id = a.site_id AND author.active
  LEFT JOIN images author_image ON author_image.id = author.image_id AND ${toImageCondition('author_image', 'a.site_id')}`

export function toListItem(row: CardRow, site: SiteState): ListItem {
  return withSourceRow('articles', row.id, {
    id: row.id,
    slug: row.slug,
    language: row.language,
    path: toArticlePath(row.slug, row.language, site),
    title: row.title,
    description: row.description,
    content_type: row.content_type,
    published_at: toInstant(row.published_at),
    updated_at: toInstant(row.updated_at),
    reading_time_minutes: toReadingTime(row.word_count),
    is_featured: row.is_featured,
    image: toImage(row.image),
    category: row.category && toCategoryRef(row.category, site),
    author: row.author && toAuthorCard(row.author, row.language, site),
  })
}

export const toCategoryRef = (
  { id, slug, name, language }: CategoryRow,
  site: SiteState,
): CategoryRef =>
  withSourceRow('categories', id, { slug, name, path: toCategoryPath(slug, language, site) })

export const toAuthorCard = (row: AuthorRow, language: string, site: SiteState): AuthorCard =>
  withSourceRow('authors', row.id, {
    id: row.id,
    slug: row.slug,
    name: row.name,
    job_title: row.job_title,
    path: toAuthorPath(row.slug, language, site),
    image: toImage(row.image),
  })

const WORDS_PER_MINUTE = 220

/** Returns the reading time in minutes, at least 1. */
export const toReadingTime = (words: number): number =>
  Math.max(1, Math.round(words / WORDS_PER_MINUTE))
