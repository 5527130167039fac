import { readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import * as yaml from 'yaml'
import type { Stack } from '../../infra/environments.ts'
import {
  putDomain,
  putRecord,
  putRoute,
  putScript,
} from '../../local/emulators/cloudflare/account.ts'
import {
  ACCOUNT_ID,
  type DeploymentTarget,
  openDeploymentTarget,
  ZONE_ID,
} from '../testing/deployment-target.ts'
import { checkStack } from './checks.ts'
import { type Finding, toExitCode, toReport } from './findings.ts'

const SECRET = 'a-secret-of-at-least-thirty-two-characters'
const HOST = 'stage.news.example'

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
type Tested = keyof typeof SETTINGS
const SECRETS = [...Object.keys(siteSecrets), 'DATABASE_ADMIN_PASSWORD']

/** A CLI that answers from files beside it; a missing file is a failure. */
const PULUMI = `cd "$(dirname "$0")/.."
case "$*" in
  version) echo v3.265.0 ;;
  plugin*) cat plugins.json ;;
  whoami*) cat whoami.json || exit 1 ;;
  stack*) cat stacks.json ;;
  config*) cat config.json 2>/dev/null || { echo "error: incorrect passphrase" >&2; exit 255; } ;;
  *) exit 2 ;;
esac`

let target: DeploymentTarget
afterEach(() => target.close())

/** A target on which the stack is ready. */
async function openReady(stack: Tested): Promise<DeploymentTarget> {
  target = await openDeploymentTarget()
  await target.install('node', 'echo v24.21.0')
  await target.install('pulumi', PULUMI)
  const plugin = (name: string) => {
    const { version } = createRequire(import.meta.url)(`@pulumi/${name}/package.json`)
    return { name, kind: 'resource', version }
  }
  await write('plugins.json', [plugin('cloudflare'), plugin('aws')])
  await write('whoami.json', { user: 'operator', url: 's3://news-state' })
  await write('stacks.json', [{ name: stack, current: false }])
  await configure(stack, {})
  return target
}

function write(file: string, value: unknown): Promise<void> {
  return writeFile(join(target.folder, file), JSON.stringify(value))
}

/** Writes the stack file, and the settings as `pulumi config --json --show-secrets` prints them. */
async function configure(stack: Tested, but: Record<string, unknown>): Promise<void> {
  const settings = Object.entries({ 'aws:region': 'eu-central-1', ...SETTINGS[stack], ...but })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key.includes(':') ? key : `cms-edge:${key}`, value] as const)
  const config = Object.fromEntries(settings)
  await writeFile(join(target.folder, `Pulumi.${stack}.yaml`), yaml.stringify({ config }))
  const values = settings.map(([key, value]) => [
    key,
    {
      value: typeof value === 'string' ? value : JSON.stringify(value),
      secret: SECRETS.some((name) => key.endsWith(name)),
    },
  ])
  await write('config.json', Object.fromEntries(values))
}

const check = (stack: Tested) => checkStack(stack, target.env, target.folder)
const find = (findings: readonly Finding[], name: string) =>
  findings.find((finding) => finding.check === name)

describe.each<Tested>(['site-stage', 'site-stage-mk2', 'media-stage'])('%s', (stack) => {
  test('is ready when nothing is missing', async () => {
    await openReady(stack)
    const findings = await check(stack)
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([])
    expect(toExitCode(findings)).toBe(0)
    expect(toReport(stack, findings)).toMatch(new RegExp(`\\n\\n${stack} is ready\\.$`))
  })

  test('with nothing set up, says of each check what it needs', async () => {
    await openReady(stack)
    const env = { PATH: '/nonexistent' }
    const findings = await checkStack(stack, env, target.folder)
    const passed = findings.filter(({ state }) => state === 'ok').map((each) => each.check)
    expect(passed).toEqual(stack === 'site-stage-mk2' ? ['AWS'] : [])
    for (const { state, detail, mend } of findings) {
      if (state === 'failed') expect(mend.length).toBeGreaterThan(0)
      if (state === 'unchecked') expect(detail).toMatch(/^needs /)
    }
    expect(toExitCode(findings)).toBe(1)
  })
})

type Row = [
  name: string,
  check: string,
  detail: string,
  mend: string,
  damage: () => unknown,
  stack?: Tested,
]

const script = {
  mainModule: 'index.js',
  content: 'export default {}',
  bindings: [],
  compatibilityDate: '2026-07-01',
  compatibilityFlags: [],
  settings: {},
}
const record = { zoneId: ZONE_ID, name: HOST, type: 'A', content: '192.0.2.1', ttl: 1 }
const route = (pattern: string) => {
  putScript(target.cloudflare, 'other', script)
  putRoute(target.cloudflare, 'route', { zoneId: ZONE_ID, pattern, script: 'other' })
}
const withoutGrant = (name: string) =>
  target.grants.splice(
    target.grants.findIndex((grant) => grant.startsWith(name)),
    1,
  )

const NEW_TOKEN = 'export CLOUDFLARE_API_TOKEN='
const LOGIN = 'aws configure export-credentials'

const ROWS: Row[] = [
  [
    'an old Node',
    'Node',
    '20.1.0 is older than 24',
    'nvm install 24',
    () => target.install('node', 'echo v20.1.0'),
  ],
  [
    'no CLI',
    'Pulumi CLI',
    'no `pulumi`',
    'get.pulumi.com',
    () => rm(join(target.folder, 'bin/pulumi')),
  ],
  [
    'an old CLI',
    'Pulumi CLI',
    'no `pulumi`',
    'get.pulumi.com',
    () => target.install('pulumi', 'echo v3.100.0'),
  ],
  [
    'no plugin',
    'Plugin cloudflare',
    'is not installed',
    'pulumi plugin install resource cloudflare',
    () => write('plugins.json', []),
  ],
  [
    ...([
      'an old plugin',
      'Plugin aws',
      '6.0.0 is not',
      'pulumi plugin install resource aws',
    ] as const),
    () => write('plugins.json', [{ name: 'aws', kind: 'resource', version: '6.0.0' }]),
  ],
  [
    'no login',
    'State backend',
    'No such file',
    'pulumi login',
    () => rm(join(target.folder, 'whoami.json')),
  ],
  [
    'no passphrase',
    'Passphrase',
    'is not set',
    'export PULUMI_CONFIG_PASSPHRASE=',
    async () => {
      delete target.env.PULUMI_CONFIG_PASSPHRASE
      await rm(join(target.folder, 'config.json'))
    },
  ],
  [
    'a wrong passphrase',
    'Passphrase',
    'incorrect passphrase',
    'export PULUMI_CONFIG_PASSPHRASE=',
    () => rm(join(target.folder, 'config.json')),
  ],
  [
    'no stack',
    'Stack',
    'is not in the state',
    'pulumi stack init site-stage',
    () => write('stacks.json', []),
  ],
  [
    'a missing secret',
    'Settings',
    'CMS_API_KEY is missing',
    'pulumi config set --secret CMS_API_KEY',
    () => configure('site-stage', { CMS_API_KEY: undefined }),
  ],
  [
    'no token',
    'Cloudflare token',
    'is not set',
    NEW_TOKEN,
    () => delete target.env.CLOUDFLARE_API_TOKEN,
  ],
  [
    'an invalid token',
    'Cloudflare token',
    'is not accepted',
    NEW_TOKEN,
    () => Object.assign(target.env, { CLOUDFLARE_API_TOKEN: 'x' }),
  ],
  ...[
    'Workers Scripts',
    'Workers KV Storage',
    'D1',
    'Workers Routes',
    'DNS',
    'Zone Settings',
    'Zone ',
  ].map(
    (name): Row => [
      `a token without ${name}`,
      'Permissions',
      `lacks ${name.trim()}`,
      'edit the token',
      () => withoutGrant(name),
    ],
  ),
  [
    'a token that only reads',
    'Permissions',
    'lacks D1 Edit',
    'edit the token',
    () => {
      withoutGrant('D1')
      target.grants.push('D1 Read')
    },
  ],
  [
    'another zone',
    'Zone',
    'is no zone that the token can read',
    'CLOUDFLARE_ZONE_ID',
    () => target.zones.clear(),
  ],
  [
    'a pending zone',
    'Zone',
    'is pending',
    'name servers',
    () => Object.assign(target.zones.get(ZONE_ID) ?? {}, { status: 'pending' }),
  ],
  [
    'a zone of another account',
    'Zone',
    'belongs to account b',
    'CLOUDFLARE_ACCOUNT_ID b',
    () => Object.assign(target.zones.get(ZONE_ID) ?? {}, { accountId: 'b' }),
  ],
  [
    'a host outside the zone',
    'Hosts',
    'www.other.example is not in',
    'SITE_HOST',
    () => configure('site-stage', { SITE_HOST: 'www.other.example' }),
  ],
  [
    'a route of another script',
    'Routes',
    '"stage.news.example/*" belongs to other',
    'delete it',
    () => route(`${HOST}/*`),
  ],
  [
    'a more specific route',
    'Routes',
    'belongs to other',
    'delete it',
    () => route(`${HOST}/about`),
  ],
  [
    'a route on media paths',
    'Routes',
    'belongs to other',
    'delete it',
    () => route(`${HOST}/cmp-media/x/*`),
    'media-stage',
  ],
  [
    'a custom domain of another script',
    'Routes',
    'custom domain of other',
    'delete it',
    () => {
      putScript(target.cloudflare, 'other', script)
      putDomain(target.cloudflare, 'domain', { zoneId: ZONE_ID, hostname: HOST, service: 'other' })
    },
  ],
  [
    'a record of somebody else',
    'DNS records',
    "that is not this stack's",
    'MANAGE_DNS false',
    () => putRecord(target.cloudflare, 'id', { ...record, proxied: true }),
  ],
  [
    'a record that is not proxied',
    'DNS records',
    'not proxied',
    'dns_records/id',
    () => putRecord(target.cloudflare, 'id', { ...record, proxied: false }),
  ],
  [
    'no record and none declared',
    'DNS records',
    'has no record',
    'MANAGE_DNS true',
    () => configure('site-stage', { MANAGE_DNS: 'false' }),
  ],
  [
    'a record on a custom domain',
    'DNS records',
    'cannot become a custom domain',
    'dns_records/id',
    () => putRecord(target.cloudflare, 'id', { ...record, proxied: true }),
    'site-stage-mk2',
  ],
  [
    'plain http',
    'Always Use HTTPS',
    'off',
    'curl -fsS -X PATCH',
    () => Object.assign(target.zones.get(ZONE_ID) ?? {}, { alwaysUseHttps: false }),
  ],
  [
    'no AWS credentials',
    'AWS identity',
    'are not set',
    LOGIN,
    () => delete target.env.AWS_ACCESS_KEY_ID,
  ],
  [
    'expired AWS credentials',
    'AWS identity',
    'InvalidClientTokenId',
    LOGIN,
    () => Object.assign(target.env, { AWS_ACCESS_KEY_ID: 'AKIAOLD' }),
  ],
  [
    'the wrong AWS account',
    'AWS account',
    'is not in aws:allowedAccountIds',
    LOGIN,
    () => configure('site-stage', { 'aws:allowedAccountIds': ['999999999999'] }),
  ],
  [
    'no region',
    'AWS region',
    'is not set',
    'aws:region',
    () => configure('site-stage', { 'aws:region': undefined }),
  ],
  [
    'a region that does not answer',
    'AWS region',
    'does not answer',
    'aws:region',
    () => Object.assign(target.env, { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' }),
  ],
  [
    'a new account',
    'Lambda quota',
    'would leave 5 of 100',
    'request-service-quota-increase',
    () => Object.assign(target.aws, { concurrency: 10 }),
  ],
  [
    'a bucket of somebody else',
    'Bucket name',
    'somebody else',
    'STORE_BUCKET',
    () => target.aws.buckets.set('news-media', '999999999999'),
    'media-stage',
  ],
]

describe('one thing missing', () => {
  test.each(ROWS)('%s', async (_, name, detail, mend, damage, stack = 'site-stage') => {
    await openReady(stack)
    await damage()
    const findings = await check(stack)
    expect(find(findings, name)).toMatchObject({ state: 'failed' })
    expect(find(findings, name)?.detail).toContain(detail)
    expect(find(findings, name)?.mend.join('\\n')).toContain(mend)
    expect(toExitCode(findings)).toBe(1)
  })
})

test('what the stack has deployed already is not in the way', async () => {
  await openReady('site-stage')
  const { cloudflare, aws } = target
  putScript(cloudflare, 'cms-edge-worker-stage', script)
  putScript(cloudflare, 'cms-edge-media-stage', script)
  const own = { zoneId: ZONE_ID, pattern: `${HOST}/*`, script: 'cms-edge-worker-stage' }
  putRoute(cloudflare, 'own', own)
  const media = { zoneId: ZONE_ID, pattern: `${HOST}/cmp-media/*`, script: 'cms-edge-media-stage' }
  putRoute(cloudflare, 'media', media)
  putRecord(cloudflare, 'record', { ...record, type: 'AAAA', content: '100::', proxied: true })
  Object.assign(aws, { concurrency: 105 }).reserved.set('cms-edge-api-stage', 5)
  expect((await check('site-stage')).filter(({ state }) => state !== 'ok')).toEqual([])
})

test('a bucket of our own is not in the way', async () => {
  await openReady('media-stage')
  target.aws.buckets.set('news-media', target.aws.id)
  expect(find(await check('media-stage'), 'Bucket name')?.detail).toBe('news-media is ours')
})

test('an API that is down is no verdict: exit code 2', async () => {
  await openReady('site-stage')
  target.env.CLOUDFLARE_BASE_URL = 'http://127.0.0.1:9'
  const findings = await check('site-stage')
  expect(find(findings, 'Cloudflare token')?.state).toBe('unchecked')
  expect(toExitCode(findings)).toBe(2)
})

test('changes nothing', async () => {
  await openReady('site-stage')
  const before = structuredClone(target.cloudflare)
  const file = await readFile(join(target.folder, 'Pulumi.site-stage.yaml'), 'utf8')
  await check('site-stage')
  expect(target.cloudflare).toEqual(before)
  expect(await readFile(join(target.folder, 'Pulumi.site-stage.yaml'), 'utf8')).toBe(file)
})
