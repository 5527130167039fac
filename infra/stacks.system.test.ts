import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { type CaptureOptions, captureStack } from '../local/emulators/pulumi/capture.ts'
import type { CapturedStack, StackOutputs } from '../local/emulators/pulumi/captured-stack.ts'
import { bundle } from './bundle.ts'
import { type Stack, stacks } from './environments.ts'
import { POLICIES } from './policy/all.ts'
import { ofType } from './policy/policy.ts'
import { toGolden } from './testing/golden.ts'

/** Returns a secret that the tests can search for. */
const plantSecret = (stack: string, key: string) =>
  `planted-in-${stack}-as-${key.toLowerCase().replaceAll('_', '-')}`
const plantSecrets = (stack: string, ...keys: string[]) =>
  Object.fromEntries(keys.map((key) => [key, plantSecret(stack, key)]))

const siteKeys = ['CMS_API_KEY', 'ADMIN_PURGE_SECRET']
const secrets: Record<Stack, Record<string, string>> = {
  'site-stage': {
    ...plantSecrets('site-stage', ...siteKeys, 'DATABASE_ADMIN_PASSWORD'),
    CMS_API_KEYS_EXTRA: JSON.stringify([plantSecret('site-stage-mk2', 'CMS_API_KEY')]),
    CMS_PREVIEW_SECRETS_EXTRA: JSON.stringify([
      plantSecret('site-stage-mk2', 'ADMIN_PURGE_SECRET'),
    ]),
  },
  'site-stage-mk2': plantSecrets('site-stage-mk2', ...siteKeys),
  'site-prod': plantSecrets('site-prod', ...siteKeys, 'DATABASE_ADMIN_PASSWORD'),
  'media-stage': {},
  'media-prod': {},
}

const captures = new Map<string, CapturedStack>()
const outputsOf = (stack: string): StackOutputs =>
  captures.get(stack)?.outputs ?? { values: {}, secrets: [] }
const captureOf = (stack: Stack) => {
  const captured = captures.get(stack)
  if (captured === undefined) throw new Error(`${stack} is not captured`)
  return captured
}
const capture = (stack: Stack, options: Partial<CaptureOptions> = {}) =>
  captureStack({ stack, secrets: secrets[stack], findOutputs: outputsOf, ...options })

beforeAll(async () => {
  for (const stack of stacks) captures.set(stack, await capture(stack))
})

describe.each(stacks)('%s', (stack) => {
  test('declares the same resources as its golden file', async () => {
    await expect(toGolden(captureOf(stack))).toMatchFileSnapshot(`golden/${stack}.json`)
  })

  test('has its secrets only in values that the engine encrypts', async () => {
    const { resources, outputs, messages } = captureOf(stack)
    const values = Object.values(secrets[stack]).flatMap((value) =>
      value.startsWith('[') ? JSON.parse(value) : [value],
    )
    const digests = values.map((value) => createHash('sha256').update(value).digest('hex'))
    const plain = resources.flatMap(({ inputs, secretPaths }) => toPlain(inputs, secretPaths))
    const bundles = ['site.js', 'media.js', 'api/index.mjs', 'migrate/index.mjs'].map((file) =>
      readFile(new URL(`../dist/${file}`, import.meta.url), 'utf8'),
    )
    const visible = [plain, JSON.stringify(outputs), messages, await Promise.all(bundles)].flat()
    for (const secret of [...values, ...digests]) {
      expect(visible.filter((text) => text.includes(secret))).toEqual([])
    }
  })
})

test('every planted secret is an input of a resource', () => {
  const all = JSON.stringify([...captures.values()].map(({ resources }) => resources))
  for (const value of Object.values(secrets).flatMap((each) => Object.values(each))) {
    if (!value.startsWith('[')) expect(all).toContain(value)
  }
})

test('all stacks together violate no policy', () => {
  const declared = [...captures.values()].flatMap(({ resources }) => resources)
  const violations = POLICIES.flatMap(({ name, findViolations }) =>
    findViolations(declared).map(({ resource, message }) => `${name}: ${resource.urn}: ${message}`),
  )
  expect(violations).toEqual([])
})

test('the same sources produce the same declaration and the same bytes', async () => {
  expect(await capture('media-stage')).toEqual(captureOf('media-stage'))
  for (const target of ['site', 'media', 'api', 'migrate'] as const) {
    const { file, sha256 } = await bundle(target)
    const bytes = await readFile(new URL(file, import.meta.url))
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
    expect((await bundle(target)).sha256).toBe(sha256)
    expect(bytes.includes(new URL('..', import.meta.url).pathname)).toBe(false)
  }
})

test('a preview of a stack that does not exist yet declares every resource', async () => {
  const { resources } = await capture('site-stage', { preview: true })
  expect(resources).toHaveLength(captureOf('site-stage').resources.length)
})

describe('external resources', () => {
  const typesOf = ({ resources }: CapturedStack, name: string) =>
    resources.filter(({ type }) => type.startsWith(name)).map(({ type }) => type)

  test('with an external backend, no AWS resource is declared', async () => {
    const config = { CMS_API_BASE_URL: 'https://cms.example.com/public/v2/' }
    const captured = await capture('site-stage', { config })
    expect(typesOf(captured, 'aws:')).toEqual([])
    expect(captured.outputs.values.apiBaseUrl).toBe('https://cms.example.com/public/v2')
  })

  test('with an external database, the functions run in its network', async () => {
    const captured = await capture('site-stage', {
      config: {
        DATABASE_HOST: 'db.cms.example.com',
        DATABASE_RESOURCE_ID: 'db-ABCDEFGHIJKL0123456789',
        DATABASE_SUBNET_IDS: JSON.stringify(['subnet-0123456789abcdef0']),
        DATABASE_SECURITY_GROUP_ID: 'sg-0123456789abcdef0',
      },
    })
    expect(typesOf(captured, 'aws:rds')).toEqual([])
    expect(typesOf(captured, 'aws:ec2')).toEqual([])
    for (const { inputs } of ofType(captured.resources, 'Function')) {
      expect(inputs.vpcConfig).toEqual({
        subnetIds: ['subnet-0123456789abcdef0'],
        securityGroupIds: ['sg-0123456789abcdef0'],
      })
      expect(inputs.environment.variables.DATABASE_HOST).toBe('db.cms.example.com')
    }
    expect(JSON.stringify(ofType(captured.resources, 'RolePolicy'))).toContain(
      'dbuser:db-ABCDEFGHIJKL0123456789/cms_api',
    )
  })

  test('with an external bucket, its credential is read from the settings', async () => {
    const credential = plantSecrets('media-stage', 'STORE_ACCESS_KEY_ID', 'STORE_SECRET_ACCESS_KEY')
    const captured = await capture('media-stage', { secrets: credential })
    expect(typesOf(captured, 'aws:')).toEqual([])
    const [script] = ofType(captured.resources, 'WorkersScript')
    expect(JSON.stringify(script?.inputs.bindings)).toContain(credential.STORE_SECRET_ACCESS_KEY)
  })

  test('the canary uses the API in its settings, or else that of site-stage', async () => {
    const url = 'https://cms.example.com/public/v2'
    const { outputs } = await capture('site-stage-mk2', { config: { CMS_API_BASE_URL: url } })
    expect(outputs.values.apiBaseUrl).toBe(url)
    expect(outputsOf('site-stage-mk2').values.apiBaseUrl).toBe(
      outputsOf('site-stage').values.apiBaseUrl,
    )
  })
})

describe('promotion', () => {
  const other = 'f'.repeat(64)
  const promoted = { 'site-prod': 'site-stage', 'media-prod': 'media-stage' }
  const outputsWith = (release: string) => () => ({ values: { release }, secrets: [] })

  test.each(['site-prod', 'media-prod'] as const)(
    '%s deploys only the release of stage',
    async (stack) => {
      await expect(capture(stack, { findOutputs: outputsWith(other) })).rejects.toThrow(
        `${promoted[stack]} runs ${other}`,
      )
      await expect(
        capture(stack, { findOutputs: () => ({ values: {}, secrets: [] }) }),
      ).rejects.toThrow(
        /Deploy it first\. If (site|media)-stage no longer exists, .* RELEASE_SHA256 <release> --stack/,
      )
    },
  )

  test('RELEASE_SHA256 replaces the release of stage', async () => {
    const findOutputs = outputsWith(other)
    const release = String(outputsOf('media-stage').values.release)
    await capture('media-prod', { findOutputs, config: { RELEASE_SHA256: release } })
    await expect(
      capture('media-prod', { findOutputs: outputsOf, config: { RELEASE_SHA256: other } }),
    ).rejects.toThrow(`RELEASE_SHA256 is ${other}`)
  })
})

test('every role and user has the permissions boundary of the settings', async () => {
  const permissionsBoundary = 'arn:aws:iam::123456789012:policy/cms-edge-boundary'
  const config = { PERMISSIONS_BOUNDARY_ARN: permissionsBoundary }
  const bounded = await Promise.all(
    (['site-stage', 'media-stage'] as const).map((stack) => capture(stack, { config })),
  )
  const identities = bounded.flatMap(({ resources }) => ofType(resources, ['Role', 'User']))
  expect(identities).toHaveLength(3)
  for (const { inputs } of identities) expect(inputs).toMatchObject({ permissionsBoundary })
})

test('only the function with the password has a KMS key of the stack for its variables', () => {
  const { resources } = captureOf('site-stage')
  const key = resources.find(({ type }) => type === 'aws:kms/key:Key')
  const functions = ofType(resources, 'Function').map(({ name, inputs }) => ({
    name,
    hasPassword: 'DATABASE_ADMIN_PASSWORD' in inputs.environment.variables,
    key: inputs.kmsKeyArn,
  }))
  expect(functions).toEqual([
    { name: 'api', hasPassword: false, key: undefined },
    { name: 'migrate', hasPassword: true, key: key?.outputs.arn },
  ])
})

test('networks of two environments do not overlap, and can be configured', async () => {
  const networkOf = ({ resources }: { resources: CapturedStack['resources'] }) =>
    ofType(resources, ['Vpc', 'Subnet']).map(({ inputs }) => inputs.cidrBlock)
  expect(networkOf(captureOf('site-stage'))).toEqual([
    '10.42.0.0/26',
    '10.42.0.64/26',
    '10.42.0.0/24',
  ])
  expect(networkOf(captureOf('site-prod'))).toEqual([
    '10.42.1.0/26',
    '10.42.1.64/26',
    '10.42.1.0/24',
  ])
  const config = {
    NETWORK_CIDR: '10.7.3.0/24',
    CMS_SECURITY_GROUP_ID: '123456789012/sg-0123456789abcdef0',
  }
  const other = await capture('site-stage', { config })
  expect(networkOf(other)).toEqual(['10.7.3.0/26', '10.7.3.64/26', '10.7.3.0/24'])
  const sources = ofType(other.resources, 'SecurityGroupIngressRule').map(
    ({ inputs }) => inputs.referencedSecurityGroupId,
  )
  expect(sources).toContain('123456789012/sg-0123456789abcdef0')
})

test('the subnets are in zones of the account, and do not move to other zones', () => {
  const { resources } = captureOf('site-stage')
  const subnets = resources.filter(({ type }) => type.endsWith(':Subnet'))
  // The emulated region has no zone b.
  expect(subnets.map(({ inputs }) => inputs.availabilityZone)).toEqual([
    'eu-central-1a',
    'eu-central-1c',
  ])
  for (const { options } of subnets) expect(options.ignoreChanges).toEqual(['availabilityZone'])
})

test('the final snapshot of prod has another name after the stack is created again', async () => {
  const snapshotOf = ({ resources }: CapturedStack) => {
    const [database] = ofType(resources, 'Instance')
    return database?.inputs.skipFinalSnapshot ? undefined : database?.inputs.finalSnapshotIdentifier
  }
  const other = await capture('site-prod', { stubContext: { seed: 'created again' } })
  const snapshots = [captureOf('site-stage'), captureOf('site-prod'), other].map(snapshotOf)
  expect(snapshots).toEqual([
    undefined,
    expect.stringMatching(/^cms-edge-prod-[a-z0-9-]+$/),
    expect.stringMatching(/^cms-edge-prod-[a-z0-9-]+$/),
  ])
  expect(snapshots[1]).not.toBe(snapshots[2])
})

test('the new version of the API function is deployed after the migration', () => {
  const { resources } = captureOf('site-stage')
  const [apiFunction] = resources.filter(
    ({ type, name }) => type.endsWith(':Function') && name === 'api',
  )
  const [migration] = ofType(resources, 'Invocation')
  expect(apiFunction?.options.dependsOn).toContain(migration?.urn)
})

test('the migration runs after the network rules for the database exist', () => {
  const { resources } = captureOf('site-stage')
  const rules = ofType(resources, ['SecurityGroupEgressRule', 'SecurityGroupIngressRule'])
  const migration = resources.find(({ type }) => type.endsWith(':Invocation'))
  expect(rules).toHaveLength(2)
  expect(migration?.options.dependsOn).toEqual(expect.arrayContaining(rules.map(({ urn }) => urn)))
})

test('the migration runs again for another database role', async () => {
  const triggersOf = ({ resources }: CapturedStack) =>
    ofType(resources, 'Invocation').map(({ inputs }) => inputs.triggers)
  const other = await capture('site-stage', { config: { DATABASE_USER: 'cms_reader' } })
  expect(triggersOf(other)).not.toEqual(triggersOf(captureOf('site-stage')))
})

test('a stack without settings fails with all commands that it needs', async () => {
  const failed = capture('site-stage', { secrets: {}, config: { SITE_HOST: undefined } })
  const message = await failed.then(String, String)
  for (const key of [...siteKeys, 'DATABASE_ADMIN_PASSWORD']) {
    expect(message).toContain(`pulumi config set --secret ${key} "$(openssl rand -hex 32)"`)
  }
  expect(message).toContain('pulumi config set SITE_HOST www.example.com --stack site-stage')
})

/** Returns all values outside of secret paths, as texts. */
function toPlain(value: unknown, secretPaths: readonly string[], path = ''): string[] {
  if (secretPaths.includes(path)) return []
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.entries(value).flatMap(([key, item]) => {
    const step = Array.isArray(value) ? `[${key}]` : `.${key}`
    return toPlain(item, secretPaths, path === '' ? key : path + step)
  })
}
