import type { AuthorCard } from '../../contract/author.ts'
import type { CategoryRef, ListItem } from '../../contract/list.ts'
import type { SiteState } from '../site/resolve.ts'
import { type ImageRow, toImage } from './image.ts'
import { toArticlePath, toAuthorPath, toCategoryPath } from './paths.ts'

export interface CategoryRow {
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

/** What cards and pages show of an article `a`; goes with `CARD_JOINS`. */
export const ARTICLE_COLUMNS = `
  a.id, a.slug, a.language, a.title, a.description, a.content_type, a.published_at, a.updated_at,
  a.word_count, a.is_featured, to_json(image) AS image,
  CASE WHEN category.id IS NOT NULL THEN json_build_object(
    'slug', category.slug, 'name', category.name, 'language', category.language) END AS category`

export const CARD_COLUMNS = `${ARTICLE_COLUMNS},
  CASE WHEN author.id IS NOT NULL THEN json_build_object(
    'id', author.id, 'slug', author.slug, 'name', author.name, 'job_title', author.job_title,
    'image', to_json(author_image)) END AS author`

/** Authors who are not active sign nothing. */
export const CARD_JOINS = `
  LEFT JOIN images image ON image.id = a.image_id
  LEFT JOIN categories category ON category.id = a.category_id
  LEFT JOIN authors author ON author.id = a.author_id AND author.active
  LEFT JOIN images author_image ON author_image.id = author.image_id`

export function toListItem(row: CardRow, site: SiteState): ListItem {
  return {
    id: row.id,
    slug: row.slug,
    language: row.language,
    path: toArticlePath(row.slug, row.language, site),
    title: row.title,
    description: row.description,
    content_type: row.content_type,
    published_at: row.published_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    reading_time_minutes: toReadingTime(row.word_count),
    is_featured: row.is_featured,
    image: toImage(row.image),
    category: row.category && toCategoryRef(row.category, site),
    author: row.author && toAuthorCard(row.author, row.language, site),
  }
}

export const toCategoryRef = (
  { slug, name, language }: CategoryRow,
  site: SiteState,
): CategoryRef => ({
  slug,
  name,
  path: toCategoryPath(slug, language, site),
})

export const toAuthorCard = (row: AuthorRow, language: string, site: SiteState): AuthorCard => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  job_title: row.job_title,
  path: toAuthorPath(row.slug, language, site),
  image: toImage(row.image),
})

const WORDS_PER_MINUTE = 220

export const toReadingTime = (words: number): number =>
  Math.max(1, Math.round(words / WORDS_PER_MINUTE))
