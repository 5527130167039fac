import * as z from 'zod/mini'
import { AuthorSlice } from './author.ts'
import { CategoryRef, ListItem } from './list.ts'
import {
  Id,
  Image,
  Instant,
  integerParameter,
  LanguageCode,
  LanguageParameter,
  Line,
  Name,
  SitePath,
  Slug,
  Text,
  Url,
} from './primitives.ts'
import { apiSitePath } from './site.ts'

/** Types of content that are served as articles. */
export const ARTICLE_CONTENT_TYPES = ['homepage_article'] as const

export const Breadcrumb = z.strictObject({ name: Line, path: SitePath })
export type Breadcrumb = z.infer<typeof Breadcrumb>

const Alternate = z.strictObject({ language: LanguageCode, slug: Slug, path: SitePath })

/**
 * `GET /sites/{site_id}/pages/{slug}`. `body_html` is sanitised. `version` is the number of the snapshot,
 * or null for the live row; `published_at` is null only in a preview. `alternates` are the published translations,
 * this article included.
 */
export const ArticlePage = z.strictObject({
  id: Id,
  site_id: Id,
  slug: Slug,
  language: LanguageCode,
  path: SitePath,
  content_type: Name,
  version: z.nullable(z.int()),
  title: Line,
  subtitle: z.nullable(Line),
  description: z.nullable(Text),
  body_html: z.string(),
  word_count: z.int().check(z.minimum(0)),
  reading_time_minutes: z.int().check(z.minimum(1)),
  published_at: z.nullable(Instant),
  updated_at: Instant,
  created_at: Instant,
  is_featured: z.boolean(),
  show_in_homepage: z.boolean(),
  image: z.nullable(Image),
  category: z.nullable(CategoryRef),
  tags: z.array(z.strictObject({ slug: Slug, name: Name })),
  author: z.nullable(AuthorSlice),
  seo_title: Line,
  seo_description: z.nullable(Text),
  seo_canonical_url: z.nullable(Url),
  seo_robots: z.nullable(Name),
  seo_image: z.nullable(Image),
  breadcrumbs: z.array(Breadcrumb),
  alternates: z.array(Alternate),
  related: z.array(ListItem),
})
export type ArticlePage = z.infer<typeof ArticlePage>

export const ArticleParameters = z.strictObject({
  language: z.optional(LanguageParameter),
  version: z.optional(integerParameter(1, 2_147_483_647)),
  related_limit: z._default(integerParameter(0, 50), 6),
})
export type ArticleParameters = z.infer<typeof ArticleParameters>

/** Path of the endpoint below the base URL of the API. */
export const articlePath = (site: string, slug: string): string =>
  `${apiSitePath(site)}/pages/${encodeURIComponent(slug)}`
