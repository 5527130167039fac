import * as z from 'zod/mini'
import { Id, LanguageCode } from './primitives.ts'

/** Who the site is; the part of it that never depends on a theme. */
export const SiteIdentity = z.strictObject({
  id: Id,
  acronym: z.string(),
  domain: z.string(),
  name: z.string(),
  default_language: LanguageCode,
  timezone: z.string(),
})
export type SiteIdentity = z.infer<typeof SiteIdentity>

/** Path of a site below the API's base; `site` is an id, an acronym or a domain. */
export const sitePath = (site: string): string => `/sites/${encodeURIComponent(site)}`
