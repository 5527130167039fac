import * as z from 'zod/mini'
import { SiteIdentity } from '../../contract/site.ts'
import { repair } from '../omissions/repair.ts'
import { fromRow, type Omission } from '../omissions/row-origin.ts'

/** Columns of `sites` that identify a site. */
export interface IdentityRow {
  id: number
  acronym: string
  domain: string
  name: string
  default_language: string
  timezone: string
}

/** Valid identity of a site. */
export interface IdentityFields {
  id: number
  acronym: string
  domain: string
  name: string
  defaultLanguage: string
  timezone: string
  /** Columns of the site's row that were replaced. */
  omissions: readonly Omission[]
}

const { acronym, domain, name, default_language, timezone } = SiteIdentity.shape
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

/** Latest identity by site id: every request reads the row, which rarely changes. */
const latest = new Map<number, { row: IdentityRow; fields: IdentityFields }>()

/** Validates the site's columns. Invalid ones are replaced, because every page of the site needs them. */
export function toIdentityFields(row: IdentityRow): IdentityFields {
  const known = latest.get(row.id)
  if (known && isSameIdentity(known.row, row)) return known.fields
  const fields = createIdentityFields(row)
  latest.set(row.id, { row, fields })
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
  const kept = repair(NullableIdentity, fromRow('sites', id, columns), (omission) =>
    omissions.push(omission),
  )
  return {
    id,
    acronym: kept.acronym ?? `site-${id}`,
    domain: kept.domain ?? 'localhost',
    name: kept.name ?? kept.domain ?? `Site ${id}`,
    defaultLanguage: kept.default_language ?? 'en',
    timezone: kept.timezone ?? 'UTC',
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
  const known = zones.get(timezone) ?? canFormat(timezone)
  zones.set(timezone, known)
  return known
}

function canFormat(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
