import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import * as yaml from 'yaml'
import type { Stack } from '../../infra/environments.ts'
import {
  ACCOUNT_ID,
  type DeploymentTarget,
  openDeploymentTarget,
  ZONE_ID,
} from './deployment-target.ts'

const SECRET = 'a-secret-of-at-least-thirty-two-characters'
export const HOST = 'stage.news.example'

const common = { CLOUDFLARE_ACCOUNT_ID: ACCOUNT_ID, CLOUDFLARE_ZONE_ID: ZONE_ID }
const site = { ...common, SITE_HOST: HOST, CMS_SITE_ID: 'harbour' }
const siteSecrets = { CMS_API_KEY: SECRET, ADMIN_PURGE_SECRET: SECRET }
const SETTINGS = {
  'site-stage': { ...site, MANAGE_DNS: 'true', ...siteSecrets, DATABASE_ADMIN_PASSWORD: SECRET },
  'site-stage-mk2': {
    ...site,
    CSS_OVERRIDE_SLUG: 'next',
    CSS_OVERRIDE_VERSION: '1',
    ...siteSecrets,
  },
  'media-stage': {
    ...common,
    MEDIA_HOSTS: [HOST],
    STORE_BUCKET: 'news-media',
    STORE_REGION: 'eu-central-1',
    MEDIA_CACHE_TTL: 604800,
  },
} satisfies Partial<Record<Stack, object>>
export type TestedStack = keyof typeof SETTINGS
const SECRET_NAMES = [...Object.keys(siteSecrets), 'DATABASE_ADMIN_PASSWORD']

/**
 * Stand-in for the Pulumi CLI, which prints the files that
 * `ReadyStack.write` writes. Without the file it fails.
 */
const PULUMI = `cd "$(dirname "$0")/.."
case "$*" in
  version) echo v3.265.0 ;;
  plugin*) cat plugins.json ;;
  whoami*) cat whoami.json || exit 1 ;;
  stack*) cat stacks.json ;;
  config*) cat config.json 2>/dev/null || { echo "error: incorrect passphrase" >&2; exit 255; } ;;
  *) exit 2 ;;
esac`

export const script = {
  mainModule: 'index.js',
  content: 'export default {}',
  bindings: [],
  compatibilityDate: '2026-07-01',
  compatibilityFlags: [],
  settings: {},
}
export const dnsRecord = { zoneId: ZONE_ID, name: HOST, type: 'A', content: '192.0.2.1', ttl: 1 }

/** A deployment target on which a stack is ready to be deployed. Tests change it to make checks fail. */
export interface ReadyStack extends DeploymentTarget {
  /** Writes a file that the stand-in of the CLI prints. */
  write(file: string, value: unknown): Promise<void>
  /** Writes settings to the stack file and to the output of `pulumi config --json --show-secrets`. */
  configure(overrides: Record<string, unknown>): Promise<void>
}

export async function openReadyStack(stack: TestedStack): Promise<ReadyStack> {
  const target = await openDeploymentTarget()
  const write = (file: string, value: unknown) =>
    writeFile(join(target.folder, file), JSON.stringify(value))
  const configure = async (overrides: Record<string, unknown>) => {
    const settings = toSettings(stack, overrides)
    const config = yaml.stringify({ config: Object.fromEntries(settings) })
    await writeFile(join(target.folder, `Pulumi.${stack}.yaml`), config)
    await write('config.json', Object.fromEntries(settings.map(toPrinted)))
  }
  await target.install('node', 'echo v24.21.0')
  await target.install('pulumi', PULUMI)
  await write('plugins.json', ['cloudflare', 'aws'].map(toPlugin))
  await write('whoami.json', { user: 'operator', url: 's3://news-state' })
  await write('stacks.json', [{ name: stack, current: false }])
  await configure({})
  return { ...target, write, configure }
}

function toSettings(stack: TestedStack, overrides: Record<string, unknown>): [string, unknown][] {
  return Object.entries({ 'aws:region': 'eu-central-1', ...SETTINGS[stack], ...overrides })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key.includes(':') ? key : `cms-edge:${key}`, value])
}

function toPrinted([key, value]: [string, unknown]): [string, object] {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return [key, { value: text, secret: SECRET_NAMES.some((name) => key.endsWith(name)) }]
}

function toPlugin(name: string) {
  const { version } = createRequire(import.meta.url)(`@pulumi/${name}/package.json`)
  return { name, kind: 'resource', version }
}
