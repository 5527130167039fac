import { environments, type Stack } from '../../infra/environments.ts'
import type { CaptureOptions } from '../emulators/pulumi/capture.ts'
import { derive } from '../emulators/pulumi/stub-context.ts'

/** Settings that refer to the cloud: resources, and the release that prod must match. A local stack has none. */
const CLOUD_SETTINGS = [
  'CMS_API_BASE_URL',
  'DATABASE_HOST',
  'DATABASE_PORT',
  'DATABASE_RESOURCE_ID',
  'DATABASE_SUBNET_IDS',
  'DATABASE_SECURITY_GROUP_ID',
  'RELEASE_SHA256',
]

/** Addresses and secrets that local declarations refer to. */
export interface LocalTargets {
  /** Folder of the stack files. */
  folder: string
  /** Random text from which all local secrets are derived. */
  seed: string
  /** URL of the object store. */
  storeUrl: string
  /** URLs of the read APIs by stack. */
  apiUrls: Readonly<Record<string, string>>
}

/** Returns values that override a stack file, so that the program declares local resources. */
export async function overrideForLocal(
  stack: string,
  targets: LocalTargets,
): Promise<Pick<CaptureOptions, 'config' | 'secrets' | 'stubContext'>> {
  const values = await readConfigValues(targets.folder, stack)
  const environment = environments[stack as Stack]
  const localSettings =
    environment.worker === 'site'
      ? { SITE_HOST: environment.localHost }
      : {
          MEDIA_HOSTS: await toLocalHosts(values['cms-edge:MEDIA_HOSTS'], targets.folder),
          STORE_ENDPOINT: targets.storeUrl,
        }
  return {
    config: {
      ...Object.fromEntries(CLOUD_SETTINGS.map((key) => [key, undefined])),
      // Locally the stack has its own read API, although its file has no region if that API is external.
      ...(usesAws(stack) && { 'aws:region': values['aws:region'] ?? 'us-east-1' }),
      LOG_SAMPLE: '1',
      ...localSettings,
    },
    secrets: isSite(stack) ? toSecrets(stack, targets.seed) : {},
    stubContext: { seed: targets.seed, functionUrl: targets.apiUrls[stack] },
  }
}

/** True when a stack declares its own read API; other site stacks use that of a stack that they refer to. */
export function ownsBackend(stack: string): boolean {
  return backendOf(stack) === 'own'
}

/** Returns the domain of each production site in the local database, its local host, by the site's acronym. */
export async function readDomains(folder: string): Promise<Record<string, string>> {
  const sites = (await readSites(folder)).filter(({ tier }) => tier === 'prod')
  return Object.fromEntries(sites.map(({ id, localHost }) => [id, localHost]))
}

/** Returns a secret of a stack, derived from the seed. */
export const deriveSecret = (seed: string, stack: string, name: string): string =>
  derive(seed, `${stack}/${name}`, 48)

function toSecrets(stack: string, seed: string): Record<string, string> {
  const secretOf = (owner: string, name: string) => deriveSecret(seed, owner, name)
  const siteSecrets = {
    CMS_API_KEY: secretOf(stack, 'CMS_API_KEY'),
    ADMIN_PURGE_SECRET: secretOf(stack, 'ADMIN_PURGE_SECRET'),
  }
  if (!ownsBackend(stack)) return siteSecrets
  const clients = Object.keys(environments).filter((client) => backendOf(client) === stack)
  return {
    ...siteSecrets,
    DATABASE_ADMIN_PASSWORD: secretOf(stack, 'DATABASE_ADMIN_PASSWORD'),
    CMS_API_KEYS_EXTRA: JSON.stringify(clients.map((client) => secretOf(client, 'CMS_API_KEY'))),
    CMS_PREVIEW_SECRETS_EXTRA: JSON.stringify(
      clients.map((client) => secretOf(client, 'ADMIN_PURGE_SECRET')),
    ),
  }
}

function usesAws(stack: string): boolean {
  return ownsBackend(stack) || !isSite(stack)
}

function isSite(stack: string): boolean {
  return environments[stack as Stack].worker === 'site'
}

function backendOf(stack: string): string | undefined {
  const environment = environments[stack as Stack]
  return environment.worker === 'site' ? environment.backend : undefined
}

/** Replaces the public hosts in a JSON list by the local hosts of their sites. */
async function toLocalHosts(list: string | undefined, folder: string): Promise<string | undefined> {
  if (list === undefined) return undefined
  const sites = await readSites(folder)
  const names: string[] = JSON.parse(list)
  return JSON.stringify(
    names.map(
      (name) =>
        sites.find(({ host }) => host === name)?.localHost ?? `${name.split('.')[0]}.localhost`,
    ),
  )
}

interface SiteStack {
  id: string | undefined
  host: string | undefined
  localHost: string
  tier: string
}

/** Reads the declared sites from the stack files. */
async function readSites(folder: string): Promise<SiteStack[]> {
  const stacks = Object.entries(environments).map(async ([stack, environment]) => {
    if (environment.worker !== 'site') return []
    const values = await readConfigValues(folder, stack)
    const { localHost, tier } = environment
    const [id, host] = [values['cms-edge:CMS_SITE_ID'], values['cms-edge:SITE_HOST']]
    return [{ id, host, localHost, tier: tier.name }]
  })
  return (await Promise.all(stacks)).flat()
}

// Imports the YAML parser lazily, because a start with cached captures reads no stack file.
async function readConfigValues(folder: string, stack: string): Promise<Record<string, string>> {
  const { readStackConfig } = await import('../emulators/pulumi/stack-file.ts')
  return (await readStackConfig(folder, stack)).values
}
