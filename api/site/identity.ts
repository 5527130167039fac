import * as z from 'zod/mini'
import { SiteIdentity } from '../../contract/site.ts'
import { repair } from '../omissions/repair.ts'
import { type Omission, withSourceRow } from '../omissions/source-row.ts'

/** Columns of `sites` that identify a site. */
export interface IdentityRow {
  id: number
  acronym: string
  domain: string
  name: string
  default_language: string
  timezone: string
}

/** Validated identity of a site. */
export interface IdentityFields {
  id: number
  acronym: string
  domain: string
  name: string
  defaultLanguage: string
  timezone: string
  /** Columns of the site's row whose values were invalid and replaced. */
  omissions: readonly Omission[]
}

const { acronym, domain, name, default_language, timezone } = SiteIdentity.shape
// With nullable columns, `repair` replaces an invalid value by null instead of throwing.
const NullableIdentity = z.compile(
  z.strictObject({
    ...SiteIdentity.shape,
    acronym: z.nullable(acronym),
    domain: z.nullable(domain),
    name: z.nullable(name),
    default_language: z.nullable(default_language),
    timezone: z.nullable(timezone.check(z.refine(isSupportedZone))),
  }),
)

/** Cached result by site id, because every request reads the row and it rarely changes. */
const validated = new Map<number, { row: IdentityRow; fields: IdentityFields }>()

/** Validates the columns of a site. Invalid values are replaced, because all pages of the site need them. */
export function toIdentityFields(row: IdentityRow): IdentityFields {
  const previous = validated.get(row.id)
  if (previous && isSameIdentity(previous.row, row)) return previous.fields
  const fields = createIdentityFields(row)
  validated.set(row.id, { row, fields })
  return fields
}

const isSameIdentity = (one: IdentityRow, other: IdentityRow): boolean =>
  one.name === other.name &&
  one.domain === other.domain &&
  one.acronym === other.acronym &&
  one.default_language === other.default_language &&
  one.timezone === other.timezone

function createIdentityFields(row: IdentityRow): IdentityFields {
  const { id, acronym, domain, name, default_language, timezone } = row
  const omissions: Omission[] = []
  const columns = { id, acronym, domain, name, default_language, timezone }
  const valid = repair(NullableIdentity, withSourceRow('sites', id, columns), (omission) =>
    omissions.push(omission),
  )
  return {
    id,
    acronym: valid.acronym ?? `site-${id}`,
    domain: valid.domain ?? 'localhost',
    name: valid.name ?? valid.domain ?? `Site ${id}`,
    defaultLanguage: valid.default_language ?? 'en',
    timezone: valid.timezone ?? 'UTC',
    omissions,
  }
}

export const toIdentity = (site: IdentityFields): SiteIdentity => ({
  id: site.id,
  acronym: site.acronym,
  domain: site.domain,
  name: site.name,
  default_language: site.defaultLanguage,
  timezone: site.timezone,
})

const zones = new Map<string, boolean>()

/** Whether this runtime supports the zone; PostgreSQL may support others. */
function isSupportedZone(timezone: string): boolean {
  const isSupported = zones.get(timezone) ?? canFormat(timezone)
  zones.set(timezone, isSupported)
  return isSupported
}

function canFormat(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
