import {
  type CheckedResource,
  each,
  eachAmong,
  ofType,
  type StackPolicy,
  stackOf,
} from './policy.ts'

const HARDENING_TYPES = [
  'BucketOwnershipControls',
  'BucketPolicy',
  'BucketPublicAccessBlock',
  'BucketServerSideEncryptionConfiguration',
  'BucketVersioning',
]
const ACCESS_BLOCKS = [
  'blockPublicAcls',
  'blockPublicPolicy',
  'ignorePublicAcls',
  'restrictPublicBuckets',
]

/** Rules for data and secrets of every provider. */
export const dataPolicies: StackPolicy[] = [
  {
    name: 'prod-data-protected',
    rule: 'Resources with data of prod are protected from deletion',
    ...each(['WorkersKvNamespace', 'D1Database', 'Bucket', 'Instance'], (resource) => {
      return (
        stackOf(resource).endsWith('-prod') && !resource.options.protect && 'it is not protected'
      )
    }),
  },
  {
    name: 'no-secret-in-plain-text',
    rule: 'The value of a secret is not in plain text in another place',
    testsOnly: 'The engine passes secrets to policies as plain values.',
    findViolations(declared) {
      const secrets = declared.flatMap(toTexts).filter(({ secret }) => secret)
      const secretTexts = new Set(secrets.map(({ text }) => text))
      return declared.flatMap((resource) =>
        toTexts(resource)
          .filter(({ secret, text }) => !secret && secretTexts.has(text))
          .map(({ path }) => ({ resource, message: `${path} has the value of a secret` })),
      )
    },
  },
]

/** Rules for resources on AWS. */
export const awsPolicies: StackPolicy[] = [
  {
    name: 'no-wildcard-grants',
    rule: 'No policy grants an action, a resource or a principal by *',
    testsOnly: 'Policies contain ARNs that are unknown in a preview.',
    ...each(['UserPolicy', 'RolePolicy', 'BucketPolicy'], ({ inputs }) => {
      const wildcard = statementsOf(inputs.policy).find(hasWildcard)
      return wildcard && `it grants ${JSON.stringify(wildcard)}`
    }),
  },
  {
    name: 'buckets-hardened',
    rule: 'Buckets have ownership controls, blocked public access, encryption, versioning and a policy',
    ...eachAmong('Bucket', (bucket, declared) => {
      const present = ofType(declared, HARDENING_TYPES).filter(
        (other) => stackOf(other) === stackOf(bucket),
      )
      const missing = HARDENING_TYPES.find((type) => ofType(present, type).length === 0)
      return missing && `it has no ${missing}`
    }),
  },
  {
    name: 'buckets-closed',
    rule: 'All four public access blocks of a bucket are on',
    ...each('BucketPublicAccessBlock', ({ inputs }) => {
      const open = ACCESS_BLOCKS.find((block) => inputs[block] !== true)
      return open && `${open} is off`
    }),
  },
  {
    name: 'databases-private',
    rule: 'Databases are encrypted, backed up and not publicly accessible',
    ...each('Instance', ({ inputs }) => {
      if (inputs.publiclyAccessible !== false) return 'it is publicly accessible'
      if (!inputs.storageEncrypted) return 'it is not encrypted'
      return !(inputs.backupRetentionPeriod > 0) && 'it is not backed up'
    }),
  },
  {
    name: 'public-functions-bounded',
    rule: 'A function with a public URL has reserved concurrency, which limits cost and connections',
    ...eachAmong('FunctionUrl', ({ inputs: { functionName } }, declared) => {
      const bounded = ofType(declared, 'Function').some(
        ({ inputs }) => inputs.name === functionName && inputs.reservedConcurrentExecutions > 0,
      )
      return !bounded && `${functionName} has no reserved concurrency`
    }),
  },
  {
    name: 'logs-expire',
    rule: 'Log groups have a retention',
    ...each('LogGroup', ({ inputs }) => {
      return !(inputs.retentionInDays > 0) && 'it has no retention'
    }),
  },
]

interface Statement {
  Effect: string
  Action?: string | string[]
  Resource?: string | string[]
  Principal?: unknown
}

function statementsOf(policy: string): Statement[] {
  return [JSON.parse(policy).Statement].flat()
}

// `bucket/*` is allowed: it stands for the objects of one bucket. `*` alone is not.
function hasWildcard({ Effect, Action = [], Resource = [], Principal }: Statement): boolean {
  if (Effect !== 'Allow') return false
  return (
    [Action].flat().some((action) => action.includes('*')) ||
    [Resource].flat().includes('*') ||
    JSON.stringify(Principal ?? '').includes('"*"')
  )
}

interface Text {
  path: string
  text: string
  secret: boolean
}

// Short texts such as a port may be equal to another value by chance.
function toTexts({ inputs, secretPaths = [] }: CheckedResource): Text[] {
  return [...walk(inputs, '', false, secretPaths)].filter(({ text }) => text.length >= 16)
}

function* walk(
  value: unknown,
  path: string,
  inherited: boolean,
  secretPaths: readonly string[],
): Generator<Text> {
  const secret = inherited || secretPaths.includes(path)
  if (typeof value === 'string') yield { path, text: value, secret }
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${key}]` : path && `.${key}`
    yield* walk(item, `${path}${step || key}`, secret, secretPaths)
  }
}
