import type * as pulumi from '@pulumi/pulumi'
import { type ApiBundles, declareApi } from './aws/api.ts'
import { bundle, hashFolder, MIGRATE_FOLDERS, toRelease } from './bundle.ts'
import type { MediaEnvironment, SiteEnvironment } from './environments.ts'
import { declareMedia } from './media.ts'
import { readOutput, requireSameRelease } from './release.ts'
import type { MediaSettings, SiteSettings } from './settings.ts'
import { declareSite } from './site.ts'

/** Declares a site worker and, unless the stack uses an existing one, a read API. */
export async function declareSiteStack(environment: SiteEnvironment, settings: SiteSettings) {
  const [site, api, migrate] = await Promise.all([bundle('site'), bundle('api'), bundle('migrate')])
  const migrationsSha256 = await hashFolder(MIGRATE_FOLDERS.migrations)
  const folderHashes = await Promise.all(Object.values(MIGRATE_FOLDERS).map(hashFolder))
  const release = toRelease([site.sha256, api.sha256, migrate.sha256, ...folderHashes])
  // A prod stack may deploy only the release that stage runs.
  await requireSameRelease(environment, settings, release)
  const backend = await declareBackend(environment, settings, { api, migrate, migrationsSha256 })
  return { ...backend, ...declareSite(environment, settings, site, backend.apiBaseUrl), release }
}

/** Declares a media worker and, unless an external one is configured, its bucket. */
export async function declareMediaStack(environment: MediaEnvironment, settings: MediaSettings) {
  const media = await bundle('media')
  const release = toRelease([media.sha256])
  await requireSameRelease(environment, settings, release)
  return { ...declareMedia(environment, settings, media), release }
}

/** `declareApi` returns further outputs, such as the names of the functions. */
interface Backend {
  apiBaseUrl: pulumi.Input<string>
}

/** Declares a read API, or returns the URL of an existing one. */
async function declareBackend(
  { tier, backend }: SiteEnvironment,
  settings: SiteSettings,
  bundles: ApiBundles,
): Promise<Backend> {
  switch (settings.kind) {
    case 'own-backend':
    case 'external-database':
      return declareApi(settings, tier, bundles)
    case 'external-backend':
      return { apiBaseUrl: settings.CMS_API_BASE_URL }
    case 'canary':
      return { apiBaseUrl: settings.CMS_API_BASE_URL ?? (await readOutput(backend, 'apiBaseUrl')) }
    default:
      settings satisfies never
      throw new Error('unreachable')
  }
}
