import * as z from 'zod/mini'
import { Id, LanguageCode, Name } from './primitives.ts'

/** Host of a URL in lower case, with a port or without. */
const Host = z
  .string()
  .check(z.maxLength(253), z.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?$/))

/** Name of an IANA time zone by its form; whether there is such a zone is another question. */
const Timezone = z
  .string()
  .check(z.maxLength(64), z.regex(/^(UTC|[A-Z][A-Za-z_]+(\/[A-Z][A-Za-z0-9_+-]*)+)$/))

/** Identity of the site; the part of it that never depends on a theme. */
export const SiteIdentity = z.strictObject({
  id: Id,
  acronym: z.string().check(z.maxLength(100)),
  domain: Host,
  name: Name,
  default_language: LanguageCode,
  timezone: Timezone,
})
export type SiteIdentity = z.infer<typeof SiteIdentity>

/** Path of a site below the API's base; `site` is an id, an acronym or a domain. */
export const sitePath = (site: string): string => `/sites/${encodeURIComponent(site)}`
