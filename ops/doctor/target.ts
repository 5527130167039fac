import { readFile } from 'node:fs/promises'
import * as yaml from 'yaml'
import * as z from 'zod/mini'
import { type DeploymentEnvironment, environments, type Stack } from '../../infra/environments.ts'

/**
 * A stack, and the settings of its file that the checks need, without
 * secrets. A missing one is undefined or empty.
 */
export interface StackTarget {
  stack: Stack
  environment: DeploymentEnvironment
  accountId: string | undefined
  zoneId: string | undefined
  hosts: readonly string[]
  /** Region of the AWS resources that this stack declares. */
  region: string | undefined
  /** AWS accounts that the provider accepts; empty: any. */
  allowedAccounts: readonly string[]
  /** Bucket that this stack declares; undefined if it uses an existing one (`STORE_ACCESS_KEY_ID`). */
  bucket: string | undefined
  /** Whether this stack declares the read API; otherwise it uses another stack's, or CMS_API_BASE_URL. */
  declaresBackend: boolean
  /** `MANAGE_DNS`; undefined if it is not set, which means false. */
  declaresDns: boolean | undefined
}

/** Account and zone of the stack's resources on Cloudflare. */
export interface CloudflareIds {
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

/** Reads `Pulumi.<stack>.yaml` in a folder. Without the file, all settings are undefined or empty. */
export async function readTarget(stack: Stack, folder: string): Promise<StackTarget> {
  const content = await readFile(`${folder}/Pulumi.${stack}.yaml`, 'utf8').catch(() => '')
  const config = StackFile.parse(yaml.parse(content) ?? {}).config ?? {}
  const environment = environments[stack]
  const isUnset = (key: string) => config[`cms-edge:${key}`] === undefined
  const siteHost = config['cms-edge:SITE_HOST']
  const siteHosts = siteHost ? [siteHost] : []
  const manageDns = config['cms-edge:MANAGE_DNS']
  return {
    stack,
    environment,
    accountId: config['cms-edge:CLOUDFLARE_ACCOUNT_ID'],
    zoneId: config['cms-edge:CLOUDFLARE_ZONE_ID'],
    hosts: environment.worker === 'media' ? (config['cms-edge:MEDIA_HOSTS'] ?? []) : siteHosts,
    region: config['aws:region'],
    allowedAccounts: config['aws:allowedAccountIds'] ?? [],
    bucket:
      environment.worker === 'media' && isUnset('STORE_ACCESS_KEY_ID')
        ? config['cms-edge:STORE_BUCKET']
        : undefined,
    declaresBackend:
      environment.worker === 'site' && environment.backend === 'own' && isUnset('CMS_API_BASE_URL'),
    declaresDns: manageDns === undefined ? undefined : manageDns === 'true',
  }
}
