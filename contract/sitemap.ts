import * as z from 'zod/mini'
import { Id, Instant, integerParameter, LanguageCode, Line, SitePath } from './primitives.ts'
import { apiSitePath } from './site.ts'

export const SitemapUrl = z.strictObject({
  id: Id,
  path: SitePath,
  language: LanguageCode,
  published_at: Instant,
  updated_at: Instant,
})
export type SitemapUrl = z.infer<typeof SitemapUrl>

export const StaticPage = z.strictObject({ path: SitePath, title: Line })
export type StaticPage = z.infer<typeof StaticPage>

/** `GET /sites/{site_id}/sitemap`, oldest first. `static_pages` are in the first part only, beyond `limit`. */
export const SitemapResponse = z.strictObject({
  urls: z.array(SitemapUrl),
  static_pages: z.array(StaticPage),
  next_cursor: z.nullable(z.string()),
})
export type SitemapResponse = z.infer<typeof SitemapResponse>

/** `since` is an HTTP-date (RFC 9110 §5.6.7) or an ISO 8601 date, with or without a time. */
export const SitemapParameters = z.strictObject({
  since: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  limit: z._default(integerParameter(1, 50_000), 5000),
  cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
})
export type SitemapParameters = z.infer<typeof SitemapParameters>

/** Path of the endpoint below the base URL of the API. */
export const sitemapPath = (site: string): string => `${apiSitePath(site)}/sitemap`
