import * as z from 'zod/mini'
import { Document, Id, Image, Instant, Name, SitePath, Slug, Url } from './primitives.ts'
import { apiSitePath } from './site.ts'

/** The author in a byline. */
export const AuthorCard = z.strictObject({
  id: Id,
  slug: Slug,
  name: Name,
  job_title: z.nullable(Name),
  path: SitePath,
  image: z.nullable(Image),
})
export type AuthorCard = z.infer<typeof AuthorCard>

/** All data of an author. `bio_html` is sanitised. The name is that of the model in the public OpenAPI document. */
export const AuthorSlice = z.strictObject({
  ...AuthorCard.shape,
  bio_html: z.nullable(Document),
  website_url: z.nullable(Url),
  social_links: z.array(Url),
  expertise: z.array(Name),
})
export type AuthorSlice = z.infer<typeof AuthorSlice>

/** schema.org `Person` for JSON-LD; URLs of the site are absolute. */
export const PersonSeo = z.strictObject({
  '@context': z.literal('https://schema.org'),
  '@type': z.literal('Person'),
  name: z.string(),
  url: z.string(),
  jobTitle: z.optional(z.string()),
  description: z.optional(z.string()),
  image: z.optional(z.string()),
  sameAs: z.optional(z.array(z.string())),
  knowsAbout: z.optional(z.array(z.string())),
  worksFor: z.strictObject({
    '@type': z.literal('NewsMediaOrganization'),
    name: z.string(),
    url: z.string(),
  }),
})
export type PersonSeo = z.infer<typeof PersonSeo>

/** `GET /sites/{site_id}/authors/{slug}`: an active author. `stats` covers visible articles in all languages. */
export const AuthorProfile = z.strictObject({
  author: AuthorSlice,
  seo: z.strictObject({
    title: z.string(),
    description: z.nullable(z.string()),
    person: PersonSeo,
  }),
  stats: z.strictObject({
    article_count: z.int().check(z.minimum(0)),
    latest_published_at: z.nullable(Instant),
  }),
})
export type AuthorProfile = z.infer<typeof AuthorProfile>

/** Path of the endpoint below the base URL of the API. */
export const authorPath = (site: string, slug: string): string =>
  `${apiSitePath(site)}/authors/${encodeURIComponent(slug)}`
