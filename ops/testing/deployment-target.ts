import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { type CloudflareAccount, createAccount } from '../../local/emulators/cloudflare/account.ts'
import { createCloudflareApi } from '../../local/emulators/cloudflare/cloudflare-api.ts'
import type { Grant } from '../../local/emulators/cloudflare/permissions.ts'
import type { Zone } from '../../local/emulators/cloudflare/zones.ts'
import { type AwsAccount, createAwsAccount, createAwsDouble } from './aws-double.ts'

export const ACCOUNT_ID = 'a'.repeat(32)
export const ZONE_ID = '2'.repeat(32)
const TOKEN = 'a-token-of-forty-characters-0123456789ab'

/** Emulated accounts of Cloudflare and AWS, and a folder for stack files with a subfolder `bin/`. */
export interface DeploymentTarget {
  folder: string
  cloudflare: CloudflareAccount
  /** Permissions of the token. */
  grants: Grant[]
  zones: Map<string, Zone>
  /** Token for Cloudflare's API. */
  token: string
  aws: AwsAccount
  /** Variables of the operator's shell. */
  env: NodeJS.ProcessEnv
  /** Writes an executable to `bin/`, which is first on PATH. */
  install(name: string, script: string): Promise<void>
  close(): Promise<void>
}

export async function openDeploymentTarget(): Promise<DeploymentTarget> {
  const folder = await mkdtemp(join(tmpdir(), 'cms-edge-doctor-'))
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const cloudflare = createAccount()
  const grants: Grant[] = [
    'Workers Scripts Edit',
    'Workers KV Storage Edit',
    'D1 Edit',
    'Workers Routes Edit',
    'DNS Edit',
    'Zone Read',
    'Zone Settings Edit',
  ]
  const zones = new Map<string, Zone>([
    [
      ZONE_ID,
      { name: 'news.example', accountId: ACCOUNT_ID, status: 'active', alwaysUseHttps: true },
    ],
  ])
  const aws = createAwsAccount()
  const [cloudflareApi, awsApi] = await Promise.all([
    listen(createCloudflareApi({ cloudflare, token: TOKEN, grants, zones }).fetch),
    listen(createAwsDouble(aws).fetch),
  ])
  return {
    folder,
    cloudflare,
    grants,
    zones,
    aws,
    token: TOKEN,
    env: {
      PATH: `${bin}:/usr/bin:/bin`,
      PULUMI_CONFIG_PASSPHRASE: 'a passphrase',
      CLOUDFLARE_API_TOKEN: TOKEN,
      CLOUDFLARE_BASE_URL: `${cloudflareApi.origin}/client/v4`,
      AWS_ACCESS_KEY_ID: aws.accessKeyId,
      AWS_SECRET_ACCESS_KEY: 'a-secret-of-the-operator',
      AWS_ENDPOINT_URL: awsApi.origin,
    },
    async install(name, script) {
      await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`)
      await chmod(join(bin, name), 0o755)
    },
    async close() {
      cloudflareApi.close()
      awsApi.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function listen(fetch: (request: Request) => Response | Promise<Response>) {
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1' })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}
