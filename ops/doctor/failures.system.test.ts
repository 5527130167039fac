import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import {
  putDomain,
  putRecord,
  putRoute,
  putScript,
} from '../../local/emulators/cloudflare/account.ts'
import { ZONE_ID } from '../testing/deployment-target.ts'
import {
  dnsRecord,
  HOST,
  openReadyStack,
  type ReadyStack,
  script,
  type TestedStack,
} from '../testing/ready-stack.ts'
import { checkStack } from './checks.ts'
import { toExitCode } from './findings.ts'

let target: ReadyStack
afterEach(() => target.close())

type FailureCase = [
  cause: string,
  check: string,
  /** `<part of the detail> → <part of the command that fixes it>`. */
  expected: string,
  makeFail: () => unknown,
  stack?: TestedStack,
]

const addRouteOfOther = (pattern: string) => {
  putScript(target.cloudflare, 'other', script)
  putRoute(target.cloudflare, 'route', { zoneId: ZONE_ID, pattern, script: 'other' })
}
const removeGrant = (name: string) =>
  target.grants.splice(
    target.grants.findIndex((grant) => grant.startsWith(name)),
    1,
  )

const NEW_TOKEN = 'export CLOUDFLARE_API_TOKEN='
const LOGIN = 'aws configure export-credentials'

const ROWS: FailureCase[] = [
  [
    'an old Node',
    'Node',
    '20.1.0 is older than 24 → nvm install 24',
    () => target.install('node', 'echo v20.1.0'),
  ],
  [
    'no CLI',
    'Pulumi CLI',
    'no `pulumi` → get.pulumi.com',
    () => rm(join(target.folder, 'bin/pulumi')),
  ],
  [
    'an old CLI',
    'Pulumi CLI',
    'no `pulumi` → get.pulumi.com',
    () => target.install('pulumi', 'echo v3.100.0'),
  ],
  [
    'no plugin',
    'Plugin cloudflare',
    'is not installed → pulumi plugin install resource cloudflare',
    () => target.write('plugins.json', []),
  ],
  [
    'an old plugin',
    'Plugin aws',
    '6.0.0 is not → pulumi plugin install resource aws',
    () => target.write('plugins.json', [{ name: 'aws', kind: 'resource', version: '6.0.0' }]),
  ],
  [
    'no login',
    'State backend',
    'No such file → pulumi login',
    () => rm(join(target.folder, 'whoami.json')),
  ],
  [
    'no passphrase',
    'Passphrase',
    'is not set → export PULUMI_CONFIG_PASSPHRASE=',
    async () => {
      delete target.env.PULUMI_CONFIG_PASSPHRASE
      await rm(join(target.folder, 'config.json'))
    },
  ],
  [
    'a wrong passphrase',
    'Passphrase',
    'incorrect passphrase → export PULUMI_CONFIG_PASSPHRASE=',
    () => rm(join(target.folder, 'config.json')),
  ],
  [
    'no stack',
    'Stack',
    'is not in the state → pulumi stack init site-stage',
    () => target.write('stacks.json', []),
  ],
  [
    'a missing secret',
    'Settings',
    'CMS_API_KEY is missing → pulumi config set --secret CMS_API_KEY',
    () => target.configure({ CMS_API_KEY: undefined }),
  ],
  [
    'no token',
    'Cloudflare token',
    `is not set → ${NEW_TOKEN}`,
    () => delete target.env.CLOUDFLARE_API_TOKEN,
  ],
  [
    'an invalid token',
    'Cloudflare token',
    `is not accepted → ${NEW_TOKEN}`,
    () => Object.assign(target.env, { CLOUDFLARE_API_TOKEN: 'x' }),
  ],
  ...[
    'Workers Scripts',
    'Workers KV Storage',
    'D1',
    'Workers Routes',
    'DNS',
    'Zone Settings',
    'Zone Read',
  ].map(
    (name): FailureCase => [
      `a token without ${name}`,
      'Permissions',
      `lacks ${name} → edit the token`,
      () => removeGrant(name),
    ],
  ),
  [
    'a token that may only read D1',
    'Permissions',
    'lacks D1 Edit → edit the token',
    () => {
      removeGrant('D1')
      target.grants.push('D1 Read')
    },
  ],
  [
    'a zone that the token cannot read',
    'Zone',
    'is not a zone that the token can read → CLOUDFLARE_ZONE_ID',
    () => target.zones.clear(),
  ],
  [
    'a pending zone',
    'Zone',
    'is pending → name servers',
    () => Object.assign(target.zones.get(ZONE_ID) ?? {}, { status: 'pending' }),
  ],
  [
    'a zone of another account',
    'Zone',
    'belongs to account b → CLOUDFLARE_ACCOUNT_ID b',
    () => Object.assign(target.zones.get(ZONE_ID) ?? {}, { accountId: 'b' }),
  ],
  [
    'a host outside the zone',
    'Hosts',
    'www.other.example is not in → SITE_HOST',
    () => target.configure({ SITE_HOST: 'www.other.example' }),
  ],
  [
    'a route of another script',
    'Routes',
    '"stage.news.example/*" belongs to other → curl -fsS -X DELETE',
    () => addRouteOfOther(`${HOST}/*`),
  ],
  [
    'a more specific route of another script',
    'Routes',
    'belongs to other → curl -fsS -X DELETE',
    () => addRouteOfOther(`${HOST}/about`),
  ],
  [
    'a route of another script on media paths',
    'Routes',
    'belongs to other → curl -fsS -X DELETE',
    () => addRouteOfOther(`${HOST}/cmp-media/x/*`),
    'media-stage',
  ],
  [
    'a custom domain of another script',
    'Routes',
    'custom domain of other → curl -fsS -X DELETE',
    () => {
      putScript(target.cloudflare, 'other', script)
      putDomain(target.cloudflare, 'domain', { zoneId: ZONE_ID, hostname: HOST, service: 'other' })
    },
  ],
  [
    'a record that the stack does not declare',
    'DNS records',
    'that this stack does not declare → MANAGE_DNS false',
    () => putRecord(target.cloudflare, 'id', { ...dnsRecord, proxied: true }),
  ],
  [
    'a record that is not proxied',
    'DNS records',
    'not proxied → dns_records/id',
    () => putRecord(target.cloudflare, 'id', { ...dnsRecord, proxied: false }),
  ],
  [
    'no record, and the stack declares none',
    'DNS records',
    'has no record → MANAGE_DNS true',
    () => target.configure({ MANAGE_DNS: 'false' }),
  ],
  [
    'a record on a custom domain',
    'DNS records',
    'cannot become a custom domain → dns_records/id',
    () => putRecord(target.cloudflare, 'id', { ...dnsRecord, proxied: true }),
    'site-stage-mk2',
  ],
  [
    'plain http without a redirect',
    'Always Use HTTPS',
    'off → curl -fsS -X PATCH',
    () => Object.assign(target.zones.get(ZONE_ID) ?? {}, { alwaysUseHttps: false }),
  ],
  [
    'no AWS credentials',
    'AWS identity',
    `are not set → ${LOGIN}`,
    () => delete target.env.AWS_ACCESS_KEY_ID,
  ],
  [
    'expired AWS credentials',
    'AWS identity',
    `InvalidClientTokenId → ${LOGIN}`,
    () => Object.assign(target.env, { AWS_ACCESS_KEY_ID: 'AKIAOLD' }),
  ],
  [
    'the wrong AWS account',
    'AWS account',
    `is not in aws:allowedAccountIds → ${LOGIN}`,
    () => target.configure({ 'aws:allowedAccountIds': ['999999999999'] }),
  ],
  [
    'no region',
    'AWS region',
    'is not set → aws:region',
    () => target.configure({ 'aws:region': undefined }),
  ],
  [
    'a region that does not respond',
    'AWS region',
    'does not respond → aws:region',
    () => Object.assign(target.env, { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' }),
  ],
  [
    'the Lambda quota of a new account',
    'Lambda quota',
    'leave 5 unreserved; AWS requires 100 → request-service-quota-increase',
    () => Object.assign(target.aws, { concurrency: 10 }),
  ],
  [
    'a bucket of another account',
    'Bucket name',
    'another account → STORE_BUCKET',
    () => target.aws.buckets.set('news-media', '999999999999'),
    'media-stage',
  ],
]

describe('a failed check has the command that fixes it', () => {
  test.each(ROWS)('%s', async (_, check, expected, makeFail, stack = 'site-stage') => {
    target = await openReadyStack(stack)
    await makeFail()
    const [detail, fix] = expected.split(' → ')
    const findings = await checkStack(stack, target.env, target.folder)
    const found = findings.find((finding) => finding.check === check)
    expect(found?.state).toBe('failed')
    expect(found?.detail).toContain(detail)
    expect(found?.fixes.join()).toContain(fix)
    expect(toExitCode(findings)).toBe(1)
  })
})
