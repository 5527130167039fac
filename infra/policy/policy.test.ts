import { describe, expect, test } from 'vitest'
import { policies } from './all.ts'
import type { Declared } from './policy.ts'

const secret = 'a-secret-of-the-engine-with-many-characters'

const resource = (type: string, over: Partial<Declared> & { stack?: string } = {}): Declared => ({
  urn: `urn:pulumi:${over.stack ?? 'site-stage'}::cms-edge::x:${type}::name`,
  type: `x:${type}`,
  name: 'name',
  inputs: {},
  secretPaths: [],
  options: {},
  ...over,
})
const resourceOf = (type: string, inputs: Declared['inputs']) => resource(type, { inputs })

const scriptBut = (inputs: Declared['inputs'] = {}, over: Partial<Declared> = {}) =>
  resource('WorkersScript', {
    inputs: {
      scriptName: 'script',
      compatibilityDate: '2026-01-01',
      observability: { logs: { invocationLogs: false }, traces: { enabled: false } },
      bindings: [],
      ...inputs,
    },
    ...over,
  })
const withBindings = (...bindings: Record<string, unknown>[]) => scriptBut({ bindings })
const plain = (name: string, text: string) => ({ name, type: 'plain_text', text })
const workersDev = (inputs: Declared['inputs']) =>
  resourceOf('WorkersScriptSubdomain', { scriptName: 'script', ...inputs })
const route = (pattern: string) => resourceOf('WorkersRoute', { pattern })
const grant = (type: string, statement: Record<string, unknown>) =>
  resourceOf(type, { policy: JSON.stringify({ Statement: [{ Effect: 'Allow', ...statement }] }) })
const databaseBut = (inputs: Declared['inputs']) =>
  resourceOf('Instance', {
    publiclyAccessible: false,
    storageEncrypted: true,
    backupRetentionPeriod: 7,
    ...inputs,
  })
const accessBlockBut = (inputs: Declared['inputs']) =>
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
  accessBlockBut({}),
  resource('BucketServerSideEncryptionConfiguration'),
  resource('BucketVersioning'),
]

interface Case {
  broken: Declared[]
  held: Declared[]
}

const cases: Record<string, Case[]> = {
  'route-patterns-unique': [
    { broken: [route('a.example/*'), route('a.example/*')], held: [route('a.example/*')] },
  ],
  'route-patterns-plain': [
    { broken: [route('a.example/cmp-media*')], held: [route('a.example/cmp-media/*')] },
    { broken: [route('*a.example/*')], held: [route('a.example/*')] },
  ],
  'custom-domain-without-record': [
    {
      broken: [
        resourceOf('WorkersCustomDomain', { hostname: 'a.example' }),
        resourceOf('DnsRecord', { name: 'a.example' }),
      ],
      held: [
        resourceOf('WorkersCustomDomain', { hostname: 'a.example' }),
        resourceOf('DnsRecord', { name: 'b.example' }),
      ],
    },
  ],
  'deleted-before-replaced': ['WorkersCustomDomain', 'DnsRecord'].map((type) => ({
    broken: [resource(type)],
    held: [resource(type, { options: { deleteBeforeReplace: true } })],
  })),
  'script-names-unique': [
    { broken: [scriptBut(), scriptBut()], held: [scriptBut(), scriptBut({ scriptName: 'other' })] },
  ],
  'script-names-short': [
    {
      broken: [scriptBut({ scriptName: 'x'.repeat(55) })],
      held: [scriptBut({ scriptName: 'x'.repeat(54) })],
    },
  ],
  'workers-dev-off': [
    {
      broken: [scriptBut()],
      held: [scriptBut(), workersDev({ enabled: false, previewsEnabled: false })],
    },
    {
      broken: [scriptBut(), workersDev({ enabled: true, previewsEnabled: false })],
      held: [],
    },
    { broken: [scriptBut(), workersDev({ enabled: false })], held: [] },
  ],
  'compatibility-date': [
    { broken: [scriptBut({ compatibilityDate: undefined })], held: [scriptBut()] },
    { broken: [scriptBut({ compatibilityDate: '2999-01-01' })], held: [] },
  ],
  'no-request-records': [
    { broken: [scriptBut({ observability: undefined })], held: [scriptBut()] },
    {
      broken: [
        scriptBut({
          observability: { logs: { invocationLogs: false }, traces: { enabled: true } },
        }),
      ],
      held: [],
    },
  ],
  'bindings-sorted': [
    {
      broken: [withBindings(plain('B', ''), plain('A', ''))],
      held: [withBindings(plain('A', ''), plain('B', ''))],
    },
  ],
  'secret-text-secret': [
    {
      broken: [withBindings({ name: 'KEY', type: 'secret_text', text: secret })],
      held: [
        scriptBut(
          { bindings: [{ name: 'KEY', type: 'secret_text', text: secret }] },
          { secretPaths: ['bindings[0].text'] },
        ),
      ],
    },
    {
      broken: [scriptBut({ bindings: [plain('A', 'a')] }, { secretPaths: ['bindings[0].text'] })],
      held: [withBindings(plain('A', 'a'))],
    },
  ],
  'css-overrides-on-canary': [
    { broken: [withBindings(plain('CSS_OVERRIDE_SLUG', 'x'))], held: [scriptBut()] },
    { broken: [scriptBut({ scriptName: 'worker-mk2' })], held: [] },
  ],
  'media-cached-seven-days': [
    {
      broken: [withBindings(plain('MEDIA_CACHE_TTL', '60'))],
      held: [withBindings(plain('MEDIA_CACHE_TTL', '604800'))],
    },
  ],
  'media-buckets-differ': [
    {
      broken: [
        withBindings(plain('STORE_BUCKET', 'one')),
        withBindings(plain('STORE_BUCKET', 'one')),
      ],
      held: [
        withBindings(plain('STORE_BUCKET', 'one')),
        withBindings(plain('STORE_BUCKET', 'two')),
        scriptBut(),
        scriptBut(),
      ],
    },
  ],
  'databases-unreplicated': [
    {
      broken: [resource('D1Database')],
      held: [resourceOf('D1Database', { readReplication: { mode: 'disabled' } })],
    },
    { broken: [resourceOf('D1Database', { readReplication: { mode: 'auto' } })], held: [] },
  ],
  'prod-data-protected': ['WorkersKvNamespace', 'D1Database', 'Bucket', 'Instance'].map((type) => ({
    broken: [resource(type, { stack: 'site-prod' })],
    held: [
      resource(type, { stack: 'site-prod', options: { protect: true } }),
      resource(type, { stack: 'site-stage' }),
    ],
  })),
  'no-secret-in-plain-text': [
    {
      broken: [
        resource('A', {
          inputs: { nested: [{ password: secret }] },
          secretPaths: ['nested[0].password'],
        }),
        resource('B', { inputs: { description: secret } }),
      ],
      held: [
        resource('A', { inputs: { nested: [{ password: secret }] }, secretPaths: ['nested'] }),
        resource('B', { inputs: { password: secret }, secretPaths: ['password'] }),
      ],
    },
  ],
  'no-wildcard-grants': [
    {
      broken: [grant('UserPolicy', { Action: ['s3:*'], Resource: ['arn:b'] })],
      held: [grant('UserPolicy', { Action: ['s3:GetObject'], Resource: ['arn:b/*'] })],
    },
    { broken: [grant('RolePolicy', { Action: 'rds-db:connect', Resource: '*' })], held: [] },
    {
      broken: [
        grant('BucketPolicy', {
          Action: 's3:GetObject',
          Resource: 'arn:b',
          Principal: { AWS: '*' },
        }),
      ],
      held: [],
    },
  ],
  'buckets-hardened': hardened.slice(1).map((left) => ({
    broken: hardened.filter((other) => other !== left),
    held: hardened,
  })),
  'buckets-closed': [
    { broken: [accessBlockBut({ blockPublicPolicy: false })], held: [accessBlockBut({})] },
  ],
  'databases-private': [
    { broken: [databaseBut({ publiclyAccessible: true })], held: [databaseBut({})] },
    { broken: [databaseBut({ storageEncrypted: false })], held: [] },
    { broken: [databaseBut({ backupRetentionPeriod: 0 })], held: [] },
  ],
  'public-functions-bounded': [
    {
      broken: [
        resourceOf('FunctionUrl', { functionName: 'api' }),
        resourceOf('Function', { name: 'api' }),
      ],
      held: [
        resourceOf('FunctionUrl', { functionName: 'api' }),
        resourceOf('Function', { name: 'api', reservedConcurrentExecutions: 5 }),
        resourceOf('Function', { name: 'private' }),
      ],
    },
  ],
  'logs-expire': [
    { broken: [resource('LogGroup')], held: [resourceOf('LogGroup', { retentionInDays: 14 })] },
  ],
}

describe.each(policies)('$name', ({ name, violations, judge }) => {
  test.each(cases[name] ?? [])('catches what breaks it, and only that: %#', ({ broken, held }) => {
    expect(violations(broken)).toHaveLength(1)
    expect(violations(held)).toEqual([])
    if (!judge) return
    expect(broken.filter((each) => judge(each))).toHaveLength(1)
    expect(held.filter((each) => judge(each))).toEqual([])
  })
})

test('every policy has a declaration that breaks it', () => {
  expect(Object.keys(cases).toSorted()).toEqual(policies.map(({ name }) => name).toSorted())
})
