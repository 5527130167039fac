import {
  type CheckedResource,
  checkEach,
  checkEachAmong,
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

/** Rules for data and secrets, on AWS and Cloudflare. */
export const DATA_POLICIES: StackPolicy[] = [
  {
    name: 'prod-data-protected',
    rule: 'Resources with data of prod are protected from deletion',
    ...checkEach(['WorkersKvNamespace', 'D1Database', 'Bucket', 'Instance'], (resource) => {
      return (
        stackOf(resource).endsWith('-prod') && !resource.options.protect && 'it is not protected'
      )
    }),
  },
  {
    name: 'no-secret-in-plain-text',
    rule: 'The value of a secret is not in plain text in another place',
    testsOnly:
      'The engine passes secrets as plain values, so a policy cannot tell which values are secret.',
    findViolations(declared) {
      const secrets = declared.flatMap(toTexts).filter(({ isSecret }) => isSecret)
      const secretTexts = new Set(secrets.map(({ text }) => text))
      return declared.flatMap((resource) =>
        toTexts(resource)
          .filter(({ isSecret, text }) => !isSecret && secretTexts.has(text))
          .map(({ path }) => ({ resource, message: `${path} has the value of a secret` })),
      )
    },
  },
]

/** Rules for resources on AWS. */
export const AWS_POLICIES: StackPolicy[] = [
  {
    name: 'no-wildcard-grants',
    rule: 'No policy grants an action, a resource or a principal by *',
    testsOnly: 'Policies contain ARNs that are unknown in a preview.',
    ...checkEach(['UserPolicy', 'RolePolicy', 'BucketPolicy'], ({ inputs }) => {
      const wildcard = statementsOf(inputs.policy).find(hasWildcard)
      return wildcard && `it grants ${JSON.stringify(wildcard)}`
    }),
  },
  {
    name: 'buckets-hardened',
    rule: 'Buckets have ownership controls, blocked public access, encryption, versioning and a policy',
    ...checkEachAmong('Bucket', (bucket, declared) => {
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
    ...checkEach('BucketPublicAccessBlock', ({ inputs }) => {
      const missing = ACCESS_BLOCKS.find((block) => inputs[block] !== true)
      return missing && `${missing} is off`
    }),
  },
  {
    name: 'databases-private',
    rule: 'Databases are encrypted, backed up and not publicly accessible',
    ...checkEach('Instance', ({ inputs }) => {
      if (inputs.publiclyAccessible !== false) return 'it is publicly accessible'
      if (!inputs.storageEncrypted) return 'it is not encrypted'
      return !(inputs.backupRetentionPeriod > 0) && 'it is not backed up'
    }),
  },
  {
    name: 'public-functions-bounded',
    rule: 'A function with a public URL has reserved concurrency, which limits cost and connections',
    ...checkEachAmong('FunctionUrl', ({ inputs: { functionName } }, declared) => {
      const isBounded = ofType(declared, 'Function').some(
        ({ inputs }) => inputs.name === functionName && inputs.reservedConcurrentExecutions > 0,
      )
      return !isBounded && `${functionName} has no reserved concurrency`
    }),
  },
  {
    name: 'logs-expire',
    rule: 'Log groups have a retention',
    ...checkEach('LogGroup', ({ inputs }) => {
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

// A resource such as `<bucket>/*` is allowed: it stands for the objects of one bucket. `*` alone is not.
function hasWildcard({ Effect, Action = [], Resource = [], Principal }: Statement): boolean {
  if (Effect !== 'Allow') return false
  return (
    [Action].flat().some((action) => action.includes('*')) ||
    [Resource].flat().includes('*') ||
    JSON.stringify(Principal ?? '').includes('"*"')
  )
}

interface InputText {
  path: string
  text: string
  isSecret: boolean
}

// Returns the texts in the inputs, without short ones (such as a port), which may be equal by chance.
function toTexts({ inputs, secretPaths = [] }: CheckedResource): InputText[] {
  return [...walkTexts(inputs, '', false, secretPaths)].filter(({ text }) => text.length >= 16)
}

function* walkTexts(
  value: unknown,
  path: string,
  isInSecret: boolean,
  secretPaths: readonly string[],
): Generator<InputText> {
  const isSecret = isInSecret || secretPaths.includes(path)
  if (typeof value === 'string') yield { path, text: value, isSecret }
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${key}]` : `.${key}`
    yield* walkTexts(item, path === '' ? key : path + step, isSecret, secretPaths)
  }
}
