import * as cloudflare from '@pulumi/cloudflare'
import type * as pulumi from '@pulumi/pulumi'
import { toSiteBindings } from './bindings.ts'
import type { Bundle } from './bundle.ts'
import type { SiteEnvironment } from './environments.ts'
import { declareInvalidationLog } from './invalidation-log.ts'
import type { SiteSettings } from './settings.ts'
import { declareWorker } from './worker.ts'

/** Declares a site worker with its KV namespace, invalidation log and host. */
export function declareSite(
  environment: SiteEnvironment,
  settings: SiteSettings,
  bundle: Bundle,
  apiBaseUrl: pulumi.Input<string>,
) {
  const accountId = settings.CLOUDFLARE_ACCOUNT_ID
  const { scriptName, tier } = environment
  const kv = new cloudflare.WorkersKvNamespace(
    'kv',
    { accountId, title: `${scriptName}-kv` },
    { protect: tier.protect, retainOnDelete: tier.protect },
  )
  const invalidations = declareInvalidationLog(environment, settings)
  const bindings = toSiteBindings({
    apiBaseUrl,
    siteId: settings.CMS_SITE_ID,
    host: settings.SITE_HOST,
    pageTypeTtls: settings.PAGE_TYPE_TTLS,
    cssOverride:
      settings.kind === 'canary'
        ? { slug: settings.CSS_OVERRIDE_SLUG, version: settings.CSS_OVERRIDE_VERSION }
        : undefined,
    apiKey: settings.CMS_API_KEY,
    purgeSecret: settings.ADMIN_PURGE_SECRET,
    kvNamespaceId: kv.id,
    invalidationsDatabaseId: invalidations.id,
    logSample: settings.LOG_SAMPLE,
    rateLimitNamespace: environment.rateLimitNamespace,
    worker: {
      name: scriptName,
      version: bundle.sha256.slice(0, 12),
      redeploy: settings.REDEPLOY,
    },
  })
  const worker = declareWorker({ accountId, scriptName, bundle, bindings })
  const schedules = [{ cron: '* * * * *' }]
  new cloudflare.WorkersCronTrigger('cron', {
    accountId,
    scriptName: worker.scriptName,
    schedules,
  })
  return {
    ...worker,
    zoneId: settings.CLOUDFLARE_ZONE_ID,
    ...declareHost(environment, settings, worker.scriptName),
    kvNamespaceId: kv.id,
    invalidationsDatabaseId: invalidations.id,
    crons: schedules.map(({ cron }) => cron),
  }
}

/** Declares a custom domain, or a route with its DNS record if the stack manages DNS. */
function declareHost(
  { ingress }: SiteEnvironment,
  settings: SiteSettings,
  script: pulumi.Output<string>,
) {
  const { CLOUDFLARE_ACCOUNT_ID: accountId, CLOUDFLARE_ZONE_ID: zoneId, SITE_HOST: host } = settings
  if (ingress === 'custom-domain') {
    new cloudflare.WorkersCustomDomain(
      'domain',
      { accountId, zoneId, hostname: host, service: script },
      // A change of any field replaces the domain, and a host name can have only one custom domain.
      { deleteBeforeReplace: true },
    )
    return { hostnames: [host], routes: [] }
  }
  if ('MANAGE_DNS' in settings && settings.MANAGE_DNS) {
    new cloudflare.DnsRecord(
      'dns',
      // A proxied record needs an address, which gets no requests, because the worker handles them.
      // 100:: is the discard prefix (RFC 6666).
      { zoneId, name: host, type: 'AAAA', content: '100::', proxied: true, ttl: 1 },
      { deleteBeforeReplace: true },
    )
  }
  const pattern = `${host}/*`
  new cloudflare.WorkersRoute('route', { zoneId, pattern, script })
  return { hostnames: [], routes: [pattern] }
}
