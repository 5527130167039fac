/**
 * Sizes, retention and networks of the read API and its database, by tier. Networks must not overlap.
 * `maxConnections`: limit of PostgreSQL on the instance class, for an alarm.
 */
const TIERS = {
  stage: {
    name: 'stage',
    protect: false,
    logDays: 14,
    networkCidr: '10.42.0.0/24',
    api: { memoryMb: 512, concurrency: 5 },
    database: {
      instanceClass: 'db.t4g.micro',
      storageGb: 20,
      maxStorageGb: 50,
      maxConnections: 80,
      multiAz: false,
      backupDays: 3,
      finalSnapshot: false,
    },
  },
  prod: {
    name: 'prod',
    protect: true,
    logDays: 90,
    networkCidr: '10.42.1.0/24',
    api: { memoryMb: 1024, concurrency: 20 },
    database: {
      instanceClass: 'db.t4g.small',
      storageGb: 20,
      maxStorageGb: 200,
      maxConnections: 170,
      multiAz: true,
      backupDays: 14,
      finalSnapshot: true,
    },
  },
} as const

/**
 * The deployment environments, by the name of their stack.
 *
 * - `ingress`: a zone route and a DNS record, or a custom domain, for which Cloudflare creates the record.
 * - `promotes`: the stage stack of a prod stack; only the release that it runs may be deployed.
 * - `backend`: `own` if the stack declares a read API, otherwise the stack whose read API it uses.
 * - `localHost`: the site's host in the local cloud.
 * - `rateLimitNamespace`: a number for the limit of searches, unique in the Cloudflare account.
 */
export const environments = {
  'site-stage': {
    worker: 'site',
    scriptName: 'cms-edge-worker-stage',
    localHost: 'stage.localhost',
    tier: TIERS.stage,
    ingress: 'route',
    backend: 'own',
    rateLimitNamespace: '1001',
  },
  'site-stage-mk2': {
    worker: 'site',
    scriptName: 'cms-edge-worker-stage-mk2',
    localHost: 'stage2.localhost',
    tier: TIERS.stage,
    ingress: 'custom-domain',
    backend: 'site-stage',
    rateLimitNamespace: '1002',
  },
  'site-prod': {
    worker: 'site',
    scriptName: 'cms-edge-worker-prod',
    localHost: 'prod.localhost',
    tier: TIERS.prod,
    ingress: 'route',
    backend: 'own',
    rateLimitNamespace: '1003',
    promotes: 'site-stage',
  },
  'media-stage': {
    worker: 'media',
    scriptName: 'cms-edge-media-stage',
    tier: TIERS.stage,
  },
  'media-prod': {
    worker: 'media',
    scriptName: 'cms-edge-media-prod',
    tier: TIERS.prod,
    promotes: 'media-stage',
  },
} as const satisfies Record<string, DeploymentEnvironment>

export type DeploymentEnvironment = SiteEnvironment | MediaEnvironment
export type Stack = keyof typeof environments
export const stacks = Object.keys(environments) as Stack[]

export type Tier = (typeof TIERS)[keyof typeof TIERS]

interface EnvironmentBase {
  readonly scriptName: string
  readonly tier: Tier
  readonly promotes?: string
}

export interface SiteEnvironment extends EnvironmentBase {
  readonly worker: 'site'
  readonly localHost: string
  readonly ingress: 'route' | 'custom-domain'
  readonly backend: string
  readonly rateLimitNamespace: string
}

export interface MediaEnvironment extends EnvironmentBase {
  readonly worker: 'media'
}

/** Returns the environment of a stack; undefined for an unknown name. */
export function findEnvironment(stack: string): DeploymentEnvironment | undefined {
  return isStack(stack) ? environments[stack] : undefined
}

function isStack(name: string): name is Stack {
  return Object.hasOwn(environments, name)
}

/** Returns the name of the Lambda function that migrates the database of a tier. */
export const toMigrateFunctionName = (tier: Tier): string => `cms-edge-migrate-${tier.name}`
