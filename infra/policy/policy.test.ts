import { describe, expect, test } from 'vitest'
import { POLICIES } from './all.ts'
import type { CheckedResource } from './policy.ts'

const secret = 'a-secret-of-the-engine-with-many-characters'

const resource = (
  type: string,
  overrides: Partial<CheckedResource> & { stack?: string } = {},
): CheckedResource => ({
  urn: `urn:pulumi:${overrides.stack ?? 'site-stage'}::cms-edge::x:${type}::name`,
  type: `x:${type}`,
  name: 'name',
  inputs: {},
  secretPaths: [],
  options: {},
  ...overrides,
})
const resourceOf = (type: string, inputs: CheckedResource['inputs']) => resource(type, { inputs })

const scriptWith = (
  inputs: CheckedResource['inputs'] = {},
  overrides: Partial<CheckedResource> = {},
) =>
  resource('WorkersScript', {
    inputs: {
      scriptName: 'script',
      compatibilityDate: '2026-01-01',
      observability: { logs: { invocationLogs: false }, traces: { enabled: false } },
      bindings: [],
      ...inputs,
    },
    ...overrides,
  })
const withBindings = (...bindings: Record<string, unknown>[]) => scriptWith({ bindings })
const plain = (name: string, text: string) => ({ name, type: 'plain_text', text })
const workersDev = (inputs: CheckedResource['inputs']) =>
  resourceOf('WorkersScriptSubdomain', { scriptName: 'script', ...inputs })
const route = (pattern: string) => resourceOf('WorkersRoute', { pattern })
const grant = (type: string, statement: Record<string, unknown>) =>
  resourceOf(type, { policy: JSON.stringify({ Statement: [{ Effect: 'Allow', ...statement }] }) })
const databaseWith = (inputs: CheckedResource['inputs']) =>
  resourceOf('Instance', {
    publiclyAccessible: false,
    storageEncrypted: true,
    backupRetentionPeriod: 7,
    ...inputs,
  })
const accessBlockWith = (inputs: CheckedResource['inputs']) =>
  resourceOf('BucketPublicAccessBlock', {
    blockPublicAcls: true,
    blockPublicPolicy: true,
    ignorePublicAcls: true,
    restrictPublicBuckets: true,
    ...inputs,
  })
const hardened = [
  resource('Bucket'),
  resource('BucketOwnershipControls'),
  resource('BucketPolicy'),
  accessBlockWith({}),
  resource('BucketServerSideEncryptionConfiguration'),
  resource('BucketVersioning'),
]

interface PolicyCase {
  violating: CheckedResource[]
  valid: CheckedResource[]
}

const cases: Record<string, PolicyCase[]> = {
  'route-patterns-unique': [
    { violating: [route('a.example/*'), route('a.example/*')], valid: [route('a.example/*')] },
  ],
  'route-patterns-plain': [
    { violating: [route('a.example/cmp-media*')], valid: [route('a.example/cmp-media/*')] },
    { violating: [route('*a.example/*')], valid: [route('a.example/*')] },
  ],
  'custom-domain-without-record': [
    {
      violating: [
        resourceOf('WorkersCustomDomain', { hostname: 'a.example' }),
        resourceOf('DnsRecord', { name: 'a.example' }),
      ],
      valid: [
        resourceOf('WorkersCustomDomain', { hostname: 'a.example' }),
        resourceOf('DnsRecord', { name: 'b.example' }),
      ],
    },
  ],
  'deleted-before-replaced': ['WorkersCustomDomain', 'DnsRecord'].map((type) => ({
    violating: [resource(type)],
    valid: [resource(type, { options: { deleteBeforeReplace: true } })],
  })),
  'script-names-unique': [
    {
      violating: [scriptWith(), scriptWith()],
      valid: [scriptWith(), scriptWith({ scriptName: 'other' })],
    },
  ],
  'script-names-short': [
    {
      violating: [scriptWith({ scriptName: 'x'.repeat(55) })],
      valid: [scriptWith({ scriptName: 'x'.repeat(54) })],
    },
  ],
  'workers-dev-off': [
    {
      violating: [scriptWith()],
      valid: [scriptWith(), workersDev({ enabled: false, previewsEnabled: false })],
    },
    {
      violating: [scriptWith(), workersDev({ enabled: true, previewsEnabled: false })],
      valid: [],
    },
    { violating: [scriptWith(), workersDev({ enabled: false })], valid: [] },
  ],
  'compatibility-date': [
    { violating: [scriptWith({ compatibilityDate: undefined })], valid: [scriptWith()] },
    { violating: [scriptWith({ compatibilityDate: '2999-01-01' })], valid: [] },
  ],
  'no-request-records': [
    { violating: [scriptWith({ observability: undefined })], valid: [scriptWith()] },
    {
      violating: [
        scriptWith({
          observability: { logs: { invocationLogs: false }, traces: { enabled: true } },
        }),
      ],
      valid: [],
    },
  ],
  'bindings-sorted': [
    {
      violating: [withBindings(plain('B', ''), plain('A', ''))],
      valid: [withBindings(plain('A', ''), plain('B', ''))],
    },
  ],
  'secret-text-secret': [
    {
      violating: [withBindings({ name: 'KEY', type: 'secret_text', text: secret })],
      valid: [
        scriptWith(
          { bindings: [{ name: 'KEY', type: 'secret_text', text: secret }] },
          { secretPaths: ['bindings[0].text'] },
        ),
      ],
    },
    {
      violating: [
        scriptWith({ bindings: [plain('A', 'a')] }, { secretPaths: ['bindings[0].text'] }),
      ],
      valid: [withBindings(plain('A', 'a'))],
    },
  ],
  'css-overrides-on-canary': [
    { violating: [withBindings(plain('CSS_OVERRIDE_SLUG', 'x'))], valid: [scriptWith()] },
    { violating: [scriptWith({ scriptName: 'worker-mk2' })], valid: [] },
  ],
  'media-cached-seven-days': [
    {
      violating: [withBindings(plain('MEDIA_CACHE_TTL', '60'))],
      valid: [withBindings(plain('MEDIA_CACHE_TTL', '604800'))],
    },
  ],
  'media-buckets-differ': [
    {
      violating: [
        withBindings(plain('STORE_BUCKET', 'one')),
        withBindings(plain('STORE_BUCKET', 'one')),
      ],
      valid: [
        withBindings(plain('STORE_BUCKET', 'one')),
        withBindings(plain('STORE_BUCKET', 'two')),
        scriptWith(),
        scriptWith(),
      ],
    },
  ],
  'databases-unreplicated': [
    {
      violating: [resource('D1Database')],
      valid: [resourceOf('D1Database', { readReplication: { mode: 'disabled' } })],
    },
    { violating: [resourceOf('D1Database', { readReplication: { mode: 'auto' } })], valid: [] },
  ],
  'prod-data-protected': ['WorkersKvNamespace', 'D1Database', 'Bucket', 'Instance'].map((type) => ({
    violating: [resource(type, { stack: 'site-prod' })],
    valid: [
      resource(type, { stack: 'site-prod', options: { protect: true } }),
      resource(type, { stack: 'site-stage' }),
    ],
  })),
  'no-secret-in-plain-text': [
    {
      violating: [
        resource('A', {
          inputs: { nested: [{ password: secret }] },
          secretPaths: ['nested[0].password'],
        }),
        resource('B', { inputs: { description: secret } }),
      ],
      valid: [
        resource('A', { inputs: { nested: [{ password: secret }] }, secretPaths: ['nested'] }),
        resource('B', { inputs: { password: secret }, secretPaths: ['password'] }),
      ],
    },
  ],
  'no-wildcard-grants': [
    {
      violating: [grant('UserPolicy', { Action: ['s3:*'], Resource: ['arn:b'] })],
      valid: [grant('UserPolicy', { Action: ['s3:GetObject'], Resource: ['arn:b/*'] })],
    },
    { violating: [grant('RolePolicy', { Action: 'rds-db:connect', Resource: '*' })], valid: [] },
    {
      violating: [
        grant('BucketPolicy', {
          Action: 's3:GetObject',
          Resource: 'arn:b',
          Principal: { AWS: '*' },
        }),
      ],
      valid: [],
    },
  ],
  'buckets-hardened': hardened.slice(1).map((omitted) => ({
    violating: hardened.filter((other) => other !== omitted),
    valid: hardened,
  })),
  'buckets-closed': [
    { violating: [accessBlockWith({ blockPublicPolicy: false })], valid: [accessBlockWith({})] },
  ],
  'databases-private': [
    { violating: [databaseWith({ publiclyAccessible: true })], valid: [databaseWith({})] },
    { violating: [databaseWith({ storageEncrypted: false })], valid: [] },
    { violating: [databaseWith({ backupRetentionPeriod: 0 })], valid: [] },
  ],
  'public-functions-bounded': [
    {
      violating: [
        resourceOf('FunctionUrl', { functionName: 'api' }),
        resourceOf('Function', { name: 'api' }),
      ],
      valid: [
        resourceOf('FunctionUrl', { functionName: 'api' }),
        resourceOf('Function', { name: 'api', reservedConcurrentExecutions: 5 }),
        resourceOf('Function', { name: 'private' }),
      ],
    },
  ],
  'logs-expire': [
    { violating: [resource('LogGroup')], valid: [resourceOf('LogGroup', { retentionInDays: 14 })] },
  ],
}

describe.each(POLICIES)('$name', ({ name, findViolations, checkResource }) => {
  test.each(cases[name] ?? [])(
    'finds the violation, and none in the valid resources: case %#',
    ({ violating, valid }) => {
      expect(findViolations(violating)).toHaveLength(1)
      expect(findViolations(valid)).toEqual([])
      if (!checkResource) return
      expect(violating.filter((each) => checkResource(each))).toHaveLength(1)
      expect(valid.filter((each) => checkResource(each))).toEqual([])
    },
  )
})

test('every policy has a test case', () => {
  expect(Object.keys(cases).toSorted()).toEqual(POLICIES.map(({ name }) => name).toSorted())
})
