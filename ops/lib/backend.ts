import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import * as yaml from 'yaml'
import * as z from 'zod/mini'
import { environments, type Stack, type Tier } from '../../infra/environments.ts'
import { readCredentials } from './aws.ts'
import type { BucketAddress } from './bucket.ts'
import { UsageError } from './command-line.ts'
import { LOCAL_FILE } from './environment.ts'

/**
 * Where the database and the bucket of a site are: on AWS, where the migration function of the tier reaches
 * the database, or in the local cloud. `credentials` are variables with the AWS credentials for the bucket.
 */
export type SiteBackend =
  | {
      type: 'aws'
      tier: Tier
      region: string
      bucket: BucketAddress
      credentials: NodeJS.ProcessEnv
    }
  | { type: 'local'; databaseUrl: string; bucket: BucketAddress; credentials: NodeJS.ProcessEnv }

/**
 * Returns the backend of a site stack: on AWS if the variables have AWS credentials, otherwise in the local
 * cloud, whose addresses are read from the variables or from `.local/env`.
 * @throws Error that names the missing variable or setting
 */
export async function readBackend(stack: Stack, env: NodeJS.ProcessEnv): Promise<SiteBackend> {
  const environment = environments[stack]
  if (environment.worker !== 'site')
    throw new UsageError(`${stack} has no templates. Choose a site stack`)
  const ownerStack = environment.backend === 'own' ? stack : environment.backend
  const mediaStack = `media-${environment.tier.name}`
  return readCredentials(env)
    ? readAwsBackend(ownerStack, mediaStack, environment.tier, env)
    : readLocalBackend(ownerStack, mediaStack, env)
}

const StackFile = z.object({
  config: z.looseObject({
    'aws:region': z.optional(z.string()),
    'cms-edge:STORE_BUCKET': z.optional(z.string()),
    'cms-edge:STORE_REGION': z.optional(z.string()),
    'cms-edge:STORE_ENDPOINT': z.optional(z.string()),
  }),
})

async function readAwsBackend(
  ownerStack: string,
  mediaStack: string,
  tier: Tier,
  env: NodeJS.ProcessEnv,
): Promise<SiteBackend> {
  const region = (await readConfig(ownerStack))['aws:region']
  if (!region)
    throw new Error(
      `Set the region: pulumi config set aws:region eu-central-1 --stack ${ownerStack}`,
    )
  return {
    type: 'aws',
    tier,
    region,
    bucket: await readBucket(mediaStack, env.STORE_ENDPOINT),
    credentials: env,
  }
}

async function readLocalBackend(
  ownerStack: string,
  mediaStack: string,
  env: NodeJS.ProcessEnv,
): Promise<SiteBackend> {
  const file = parseEnv(await readFile(LOCAL_FILE, 'utf8').catch(() => ''))
  const read = (name: string): string => {
    const value = env[name] ?? file[name]
    if (value) return value
    throw new Error(
      `${name} is missing. Start the local cloud, which writes ${LOCAL_FILE}, or set AWS credentials.`,
    )
  }
  const toPrefix = (stack: string) => stack.toUpperCase().replaceAll('-', '_')
  return {
    type: 'local',
    databaseUrl: read(`${toPrefix(ownerStack)}_DATABASE_URL`),
    bucket: {
      bucket: read(`${toPrefix(mediaStack)}_STORE_BUCKET`),
      region: read(`${toPrefix(mediaStack)}_STORE_REGION`),
      endpoint: read(`${toPrefix(mediaStack)}_STORE_ENDPOINT`),
    },
    credentials: {
      AWS_ACCESS_KEY_ID: read('OPERATOR_ACCESS_KEY_ID'),
      AWS_SECRET_ACCESS_KEY: read('OPERATOR_SECRET_ACCESS_KEY'),
    },
  }
}

/**
 * Reads the bucket from the file of a media stack. `endpoint` takes precedence over its STORE_ENDPOINT.
 * @throws Error when the file has no bucket or no region
 */
export async function readBucket(stack: string, endpoint?: string): Promise<BucketAddress> {
  const config = await readConfig(stack)
  const { 'cms-edge:STORE_BUCKET': bucket, 'cms-edge:STORE_REGION': region } = config
  if (!bucket || !region)
    throw new Error(
      `Pulumi.${stack}.yaml has no STORE_BUCKET or no STORE_REGION. Set both, or choose a media stack that has them.`,
    )
  return { bucket, region, endpoint: endpoint ?? config['cms-edge:STORE_ENDPOINT'] }
}

async function readConfig(stack: string) {
  const file = yaml.parse(await readFile(`Pulumi.${stack}.yaml`, 'utf8'))
  return StackFile.safeParse(file).data?.config ?? {}
}
