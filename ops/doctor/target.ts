import { readFile } from 'node:fs/promises'
import * as yaml from 'yaml'
import * as z from 'zod/mini'
import { type Environment, environments, type Stack } from '../../infra/environments.ts'

/** Plain-text settings of a stack file that the checks need; a missing one is undefined or empty. */
export interface Target {
  stack: Stack
  environment: Environment
  accountId: string | undefined
  zoneId: string | undefined
  hosts: readonly string[]
  /** Of the AWS resources that this stack declares. */
  region: string | undefined
  /** AWS accounts that the provider accepts; empty: any. */
  allowedAccounts: readonly string[]
  /** A bucket that this stack declares. */
  bucket: string | undefined
  /** Whether the read API, with its functions, is declared by this stack. */
  declaresBackend: boolean
  /** `MANAGE_DNS`; undefined: not decided yet, which means no. */
  declaresDns: boolean | undefined
}

/** Where on Cloudflare the stack's resources are. */
export interface Place {
  accountId: string
  zoneId: string
}

const text = z.optional(z.string())
const StackFile = z.object({
  config: z._default(
    z.nullable(
      z.looseObject({
        'aws:region': text,
        'aws:allowedAccountIds': z.optional(z.array(z.coerce.string())),
        'cms-edge:CLOUDFLARE_ACCOUNT_ID': text,
        'cms-edge:CLOUDFLARE_ZONE_ID': text,
        'cms-edge:SITE_HOST': text,
        'cms-edge:MEDIA_HOSTS': z.optional(z.array(z.string())),
        'cms-edge:STORE_BUCKET': text,
        'cms-edge:MANAGE_DNS': z.optional(z.coerce.string()),
      }),
    ),
    {},
  ),
})

/** Reads `Pulumi.<stack>.yaml` of a folder; a file that is not there has no settings. */
export async function readTarget(stack: Stack, folder: string): Promise<Target> {
  const content = await readFile(`${folder}/Pulumi.${stack}.yaml`, 'utf8').catch(() => '')
  const config = StackFile.parse(yaml.parse(content) ?? {}).config ?? {}
  const environment = environments[stack]
  const isOwn = (key: string) => config[`cms-edge:${key}`] === undefined
  const host = config['cms-edge:SITE_HOST']
  const manageDns = config['cms-edge:MANAGE_DNS']
  return {
    stack,
    environment,
    accountId: config['cms-edge:CLOUDFLARE_ACCOUNT_ID'],
    zoneId: config['cms-edge:CLOUDFLARE_ZONE_ID'],
    hosts:
      environment.worker === 'media' ? (config['cms-edge:MEDIA_HOSTS'] ?? []) : host ? [host] : [],
    region: config['aws:region'],
    allowedAccounts: config['aws:allowedAccountIds'] ?? [],
    bucket:
      environment.worker === 'media' && isOwn('STORE_ACCESS_KEY_ID')
        ? config['cms-edge:STORE_BUCKET']
        : undefined,
    declaresBackend:
      environment.worker === 'site' && environment.backend === 'own' && isOwn('CMS_API_BASE_URL'),
    declaresDns: manageDns === undefined ? undefined : manageDns === 'true',
  }
}
