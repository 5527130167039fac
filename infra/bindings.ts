import * as pulumi from '@pulumi/pulumi'
import { hashFields, type ManifestEntry, sortKeys, toCanonicalJson } from './manifest.ts'

type BindingText = pulumi.Input<string>

export type DeclaredBinding = { name: string } & (
  | { type: 'plain_text'; text: BindingText }
  | { type: 'json'; json: BindingText }
  | { type: 'secret_text'; text: pulumi.Output<string> }
  | { type: 'kv_namespace'; namespaceId: BindingText }
  | { type: 'd1'; databaseId: BindingText }
  | { type: 'ratelimit'; namespaceId: BindingText; simple: { limit: number; period: number } }
)

// `Omit` for each member of the union.
type BindingValue = DeclaredBinding extends infer B
  ? B extends DeclaredBinding
    ? Omit<B, 'name'>
    : never
  : never

/** Values of a site worker's bindings. */
export interface SiteBindings {
  apiBaseUrl: BindingText
  siteId: string
  host: string
  pageTypeTtls: Partial<Record<string, number>>
  cssOverride: { slug: string; version: string } | undefined
  apiKey: pulumi.Output<string>
  purgeSecret: pulumi.Output<string>
  kvNamespaceId: BindingText
  invalidationsDatabaseId: BindingText
  /** One in this number of hits in the edge cache is logged. */
  logSample: number
  rateLimitNamespace: string
  worker: Worker
}

/** Values of a media worker's bindings. */
export interface MediaBindings {
  bucket: BindingText
  region: string
  endpoint: string | undefined
  /** In seconds. */
  cacheTtl: number
  /** One in this number of hits in the edge cache is logged. */
  logSample: number
  accessKeyId: pulumi.Output<string>
  secretAccessKey: pulumi.Output<string>
  worker: Worker
}

interface Worker {
  name: string
  /** Identifies the bundle, for example in ETags of pages and in the health response. */
  version: string
  /** A changed value makes Pulumi upload the script again, with every binding as declared. */
  redeploy: string | undefined
}

export function toSiteBindings(site: SiteBindings): DeclaredBinding[] {
  return toSortedBindings({
    ...toWorkerBindings(site.worker),
    CMS_API_BASE_URL: plainText(site.apiBaseUrl),
    CMS_API_KEY: secretText(site.apiKey),
    CMS_SITE_ID: plainText(site.siteId),
    SITE_HOST: plainText(site.host),
    PAGE_TYPE_TTLS: { type: 'json', json: toCanonicalJson(site.pageTypeTtls) },
    ADMIN_PURGE_SECRET: secretText(site.purgeSecret),
    KV: { type: 'kv_namespace', namespaceId: site.kvNamespaceId },
    INVALIDATIONS: { type: 'd1', databaseId: site.invalidationsDatabaseId },
    LOG_SAMPLE: plainText(String(site.logSample)),
    SEARCH_RATE_LIMIT: {
      type: 'ratelimit',
      namespaceId: site.rateLimitNamespace,
      // Searches of a visitor's network, per 10 seconds.
      simple: { limit: 20, period: 10 },
    },
    ...(site.cssOverride && {
      CSS_OVERRIDE_SLUG: plainText(site.cssOverride.slug),
      CSS_OVERRIDE_VERSION: plainText(site.cssOverride.version),
    }),
  })
}

export function toMediaBindings(media: MediaBindings): DeclaredBinding[] {
  return toSortedBindings({
    ...toWorkerBindings(media.worker),
    STORE_BUCKET: plainText(media.bucket),
    STORE_REGION: plainText(media.region),
    ...(media.endpoint && { STORE_ENDPOINT: plainText(media.endpoint) }),
    MEDIA_CACHE_TTL: plainText(String(media.cacheTtl)),
    LOG_SAMPLE: plainText(String(media.logSample)),
    STORE_ACCESS_KEY_ID: secretText(media.accessKeyId),
    STORE_SECRET_ACCESS_KEY: secretText(media.secretAccessKey),
  })
}

/** Returns the bindings with hashes instead of values, for the drift check. */
export function toManifest(bindings: readonly DeclaredBinding[]): pulumi.Output<ManifestEntry[]> {
  return pulumi.output(bindings.map(toEntry))
}

function toEntry({ name, type, ...value }: DeclaredBinding): pulumi.Input<ManifestEntry> {
  if (type === 'secret_text') return { name, type }
  return pulumi.output(value).apply((fields) => ({ name, type, fields: hashFields(fields) }))
}

function toWorkerBindings(worker: Worker): Record<string, BindingValue> {
  return {
    WORKER_NAME: plainText(worker.name),
    WORKER_VERSION: plainText(worker.version),
    ...(worker.redeploy && { REDEPLOY: plainText(worker.redeploy) }),
  }
}

const plainText = (text: BindingText): BindingValue => ({ type: 'plain_text', text })
const secretText = (text: pulumi.Output<string>): BindingValue => ({ type: 'secret_text', text })

// The provider compares bindings as a list, so their order must be stable.
function toSortedBindings(bindings: Record<string, BindingValue>): DeclaredBinding[] {
  return Object.entries(sortKeys(bindings)).map(([name, value]) => ({ name, ...value }))
}
