import { environments, type Stack } from '../infra/environments.ts'
import { derive } from './record/facts.ts'
import type { RecordOptions } from './record/record.ts'
import { readStackConfig, type StackConfig } from './record/stack-file.ts'

/** The one thing that a stack file names and this machine cannot have. */
const hosts: Record<string, string> = {
  'site-stage': 'stage.localhost',
  'site-stage-mk2': 'stage2.localhost',
  'site-prod': 'prod.localhost',
}

/** Settings that name what lives elsewhere, or pin what ran elsewhere: here everything is local. */
const elsewhere = [
  'CMS_API_BASE_URL',
  'DATABASE_HOST',
  'DATABASE_PORT',
  'DATABASE_RESOURCE_ID',
  'DATABASE_SUBNET_IDS',
  'DATABASE_SECURITY_GROUP_ID',
  'RELEASE_SHA256',
]

export interface World {
  /** Folder of the stack files. */
  folder: string
  seed: string
  storeUrl: string
  /** Where the read API of a stack answers. */
  apiUrls: Readonly<Record<string, string>>
}

/** What the local cloud lays over a stack's file, so that the same program declares local things. */
export async function localise(
  stack: string,
  world: World,
): Promise<Pick<RecordOptions, 'config' | 'secrets' | 'facts'>> {
  const { values } = await readStackConfig(world.folder, stack)
  const project = await readHosts(world.folder)
  const here = isSite(stack)
    ? { SITE_HOST: hosts[stack] }
    : {
        MEDIA_HOSTS: toLocalHosts(values['cms-edge:MEDIA_HOSTS'], project),
        STORE_ENDPOINT: world.storeUrl,
      }
  return {
    config: {
      ...Object.fromEntries(elsewhere.map((key) => [key, undefined])),
      // A stack whose backend lives elsewhere names no region; here it has a backend of its own.
      ...(usesAws(stack) && { 'aws:region': values['aws:region'] ?? 'us-east-1' }),
      ...here,
    },
    secrets: isSite(stack) ? toSecrets(stack, world.seed) : {},
    facts: { seed: world.seed, functionUrl: world.apiUrls[stack] },
  }
}

/** Whether a stack's read API is its own; the others use that of the stack they name. */
export function ownsBackend(stack: string): boolean {
  return backendOf(stack) === 'own'
}

function toSecrets(stack: string, seed: string): Record<string, string> {
  const of = (owner: string, name: string) => derive(seed, `${owner}/${name}`, 48)
  const own = {
    CMS_API_KEY: of(stack, 'CMS_API_KEY'),
    ADMIN_PURGE_SECRET: of(stack, 'ADMIN_PURGE_SECRET'),
  }
  if (!ownsBackend(stack)) return own
  const guests = Object.keys(environments).filter((guest) => backendOf(guest) === stack)
  return {
    ...own,
    DATABASE_ADMIN_PASSWORD: of(stack, 'DATABASE_ADMIN_PASSWORD'),
    CMS_API_KEYS_EXTRA: JSON.stringify(guests.map((guest) => of(guest, 'CMS_API_KEY'))),
    CMS_PREVIEW_SECRETS_EXTRA: JSON.stringify(
      guests.map((guest) => of(guest, 'ADMIN_PURGE_SECRET')),
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

/** Local host by the host that a site's stack file names. */
async function readHosts(folder: string): Promise<Map<string, string>> {
  const sites = Object.entries(hosts).map(async ([stack, local]) => {
    const { values }: StackConfig = await readStackConfig(folder, stack)
    return [values['cms-edge:SITE_HOST'] ?? '', local] as const
  })
  return new Map(await Promise.all(sites))
}

function toLocalHosts(list: string | undefined, local: Map<string, string>): string | undefined {
  if (list === undefined) return undefined
  const names: string[] = JSON.parse(list)
  return JSON.stringify(names.map((name) => local.get(name) ?? `${name.split('.')[0]}.localhost`))
}
