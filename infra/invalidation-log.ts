import * as cloudflare from '@pulumi/cloudflare'
import type { SiteEnvironment } from './environments.ts'
import type { SiteSettings } from './settings.ts'

/**
 * Declares the invalidation log of a site environment: a D1 database near the read API. Cloudflare cannot
 * move it to another location later.
 */
export function declareInvalidationLog(
  { scriptName, tier }: SiteEnvironment,
  settings: SiteSettings,
): cloudflare.D1Database {
  return new cloudflare.D1Database(
    'invalidations',
    {
      accountId: settings.CLOUDFLARE_ACCOUNT_ID,
      name: `${scriptName}-invalidations`,
      primaryLocationHint: toLocationHint(settings['aws:region']),
      // Reads must include every committed write. If this is not declared, each `pulumi refresh` reports a
      // change.
      readReplication: { mode: 'disabled' },
    },
    { protect: tier.protect },
  )
}

/**
 * Regions of AWS and the nearest location of D1 (developers.cloudflare.com/d1/configuration/data-location).
 * The first match counts.
 */
const LOCATIONS: readonly (readonly [RegExp, string])[] = [
  [/^(us-west|mx)-/, 'wnam'],
  [/^(us|ca|sa)-/, 'enam'],
  [/^(me|il)-/, 'eeur'],
  [/^(eu|af)-/, 'weur'],
  [/^ap-southeast-(2|4|6)$/, 'oc'],
  [/^(ap|cn)-/, 'apac'],
]

/** Returns the location of D1 nearest to an AWS region. Undefined: Cloudflare chooses. */
export function toLocationHint(region = ''): string | undefined {
  return LOCATIONS.find(([pattern]) => pattern.test(region))?.[1]
}
