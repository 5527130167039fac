import * as z from 'zod/mini'
import { AuthorCard } from './author.ts'
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
} from './primitives.ts'
import { apiSitePath } from './site.ts'

export const LIST_KINDS = [
  'homepage',
  'category',
  'author',
  'featured',
  'trending',
  'related',
  'recent',
  'search',
] as const
type ListKind = (typeof LIST_KINDS)[number]

export const CategoryRef = z.strictObject({ slug: Slug, name: Name, path: SitePath })
export type CategoryRef = z.infer<typeof CategoryRef>

/** An article in a list (content card): its metadata without the body. */
export const ListItem = z.strictObject({
  id: Id,
  slug: Slug,
  language: LanguageCode,
  path: SitePath,
  title: Line,
  description: z.nullable(Text),
  content_type: Name,
  published_at: Instant,
  updated_at: Instant,
  reading_time_minutes: z.int().check(z.minimum(1)),
  is_featured: z.boolean(),
  image: z.nullable(Image),
  category: z.nullable(CategoryRef),
  author: z.nullable(AuthorCard),
})
export type ListItem = z.infer<typeof ListItem>

/** `GET /sites/{site_id}/lists`; `next_cursor` is null on the last page. */
export const ListResponse = z.strictObject({
  items: z.array(ListItem),
  next_cursor: z.nullable(z.string()),
})
export type ListResponse = z.infer<typeof ListResponse>

/**
 * `category` (slug), `author_slug`, `related_to` (slug of an article) and `q` are each required by one `kind`.
 * The list of a category does not include articles of its subcategories.
 * `month` selects articles published in that month, in UTC.
 */
export const ListParameters = z
  .strictObject({
    kind: z.enum(LIST_KINDS),
    category: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    author_slug: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    related_to: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    q: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
    language: z.optional(LanguageParameter),
    month: z.optional(z.string().check(z.regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/, 'must be YYYY-MM'))),
    limit: z._default(integerParameter(1, 100), 20),
    cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
  })
  .check(
    z.superRefine((parameters, context) => {
      const name = REQUIRED_BY_KIND[parameters.kind]
      if (name && parameters[name] === undefined)
        context.addIssue({
          code: 'custom',
          path: [name],
          message: `is required when kind is ${parameters.kind}`,
        })
    }),
  )
export type ListParameters = z.infer<typeof ListParameters>

const REQUIRED_BY_KIND: Partial<Record<ListKind, 'category' | 'author_slug' | 'related_to' | 'q'>> =
  { category: 'category', author: 'author_slug', related: 'related_to', search: 'q' }

/** Path of the endpoint below the base URL of the API. */
export const listPath = (site: string): string => `${apiSitePath(site)}/lists`
