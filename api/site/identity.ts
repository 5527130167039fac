import type { SiteIdentity } from '../../contract/site.ts'
import type { SiteState } from './resolve.ts'

export const toIdentity = (site: SiteState): SiteIdentity => ({
  id: site.id,
  acronym: site.acronym,
  domain: site.domain,
  name: site.name,
  default_language: site.defaultLanguage,
  timezone: site.timezone,
})
