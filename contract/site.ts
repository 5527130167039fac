import * as z from 'zod/mini'
import { Id, LanguageCode, Name } from './primitives.ts'

/** Lower-case host of a URL, optionally with a port. */
const Host = z
  .string()
  .check(z.maxLength(253), z.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?$/))

/** String in the form of an IANA time zone; the zone may not exist. */
const Timezone = z
  .string()
  .check(z.maxLength(64), z.regex(/^(UTC|[A-Z][A-Za-z_]+(\/[A-Z][A-Za-z0-9_+-]*)+)$/))

/** Identity of a site, independent of its theme. */
export const SiteIdentity = z.strictObject({
  id: Id,
  acronym: z.string().check(z.maxLength(100)),
  domain: Host,
  name: Name,
  default_language: LanguageCode,
  timezone: Timezone,
})
export type SiteIdentity = z.infer<typeof SiteIdentity>

/** Path of a site below the base URL of the API. `site` is an id, an acronym or a domain. */
export const apiSitePath = (site: string): string => `/sites/${encodeURIComponent(site)}`
