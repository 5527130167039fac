import * as cloudflare from '@pulumi/cloudflare'
import type { SiteEnvironment } from './environments.ts'
import type { SiteSettings } from './settings.ts'

/**
 * The D1 database in which a site environment keeps its invalidations, near the read API.
 * The location is chosen once: Cloudflare cannot move a database.
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
      // Every read has to see every committed write. Left out, each refresh reports an update.
      readReplication: { mode: 'disabled' },
    },
    { protect: tier.protect },
  )
}

/** AWS's areas, by the location of D1 that is nearest (developers.cloudflare.com/d1/configuration/data-location). */
const LOCATIONS: readonly (readonly [RegExp, string])[] = [
  [/^(us-west|mx)-/, 'wnam'],
  [/^(us|ca|sa)-/, 'enam'],
  [/^(me|il)-/, 'eeur'],
  [/^(eu|af)-/, 'weur'],
  [/^ap-southeast-(2|4|6)$/, 'oc'],
  [/^(ap|cn)-/, 'apac'],
]

/** The location of D1 nearest to an AWS region; undefined leaves the choice to Cloudflare. */
export function toLocationHint(region = ''): string | undefined {
  return LOCATIONS.find(([pattern]) => pattern.test(region))?.[1]
}
