import * as cloudflare from '@pulumi/cloudflare'
import { MEDIA_PREFIX } from '../contract/constants.ts'
import { declareBucket } from './aws/bucket.ts'
import { toMediaBindings } from './bindings.ts'
import type { Bundle } from './bundle.ts'
import type { MediaEnvironment } from './environments.ts'
import type { MediaSettings } from './settings.ts'
import { declareWorker } from './worker.ts'

/** Declares a media worker, its bucket (unless an external one is configured), and a route on each host. */
export function declareMedia(
  environment: MediaEnvironment,
  settings: MediaSettings,
  bundle: Bundle,
) {
  const { CLOUDFLARE_ACCOUNT_ID: accountId, CLOUDFLARE_ZONE_ID: zoneId } = settings
  const { scriptName } = environment
  const bindings = toMediaBindings({
    ...declareStore(environment, settings),
    region: settings.STORE_REGION,
    endpoint: settings.STORE_ENDPOINT,
    cacheTtl: settings.MEDIA_CACHE_TTL,
    logSample: settings.LOG_SAMPLE,
    worker: {
      name: scriptName,
      version: bundle.sha256.slice(0, 12),
      redeploy: settings.REDEPLOY,
    },
  })
  const worker = declareWorker({ accountId, scriptName, bundle, bindings })
  const routes = settings.MEDIA_HOSTS.map((host) => {
    const pattern = `${host}${MEDIA_PREFIX}*`
    new cloudflare.WorkersRoute(`route-${host}`, { zoneId, pattern, script: worker.scriptName })
    return pattern
  })
  return { ...worker, zoneId, hostnames: [], routes, bucket: settings.STORE_BUCKET }
}

function declareStore(environment: MediaEnvironment, settings: MediaSettings) {
  if (settings.kind === 'external-bucket') {
    return {
      bucket: settings.STORE_BUCKET,
      accessKeyId: settings.STORE_ACCESS_KEY_ID,
      secretAccessKey: settings.STORE_SECRET_ACCESS_KEY,
    }
  }
  return declareBucket(settings, environment.tier)
}
