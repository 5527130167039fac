import { type Declared, each, eachAmong, ofType, type Policy, stackOf } from './policy.ts'

const hardenings = [
  'BucketOwnershipControls',
  'BucketPolicy',
  'BucketPublicAccessBlock',
  'BucketServerSideEncryptionConfiguration',
  'BucketVersioning',
]
const accessBlocks = [
  'blockPublicAcls',
  'blockPublicPolicy',
  'ignorePublicAcls',
  'restrictPublicBuckets',
]

/** Rules for data and secrets of every provider. */
export const dataPolicies: Policy[] = [
  {
    name: 'prod-data-protected',
    rule: 'Resources that hold data of prod are protected from deletion',
    ...each(['WorkersKvNamespace', 'D1Database', 'Bucket', 'Instance'], (resource) => {
      return (
        stackOf(resource).endsWith('-prod') && !resource.options.protect && 'it is not protected'
      )
    }),
  },
  {
    name: 'no-secret-in-plain-text',
    rule: 'No value that is a secret somewhere is in plain text elsewhere',
    testsOnly: 'The engine gives secrets as plain values.',
    violations(declared) {
      const secrets = declared.flatMap(toTexts).filter(({ secret }) => secret)
      const known = new Set(secrets.map(({ text }) => text))
      return declared.flatMap((resource) =>
        toTexts(resource)
          .filter(({ secret, text }) => !secret && known.has(text))
          .map(({ path }) => ({ resource, message: `${path} is one` })),
      )
    },
  },
]

/** Rules for resources on AWS. */
export const awsPolicies: Policy[] = [
  {
    name: 'no-wildcard-grants',
    rule: 'No policy grants an action, a resource or a principal by *',
    testsOnly: 'Policies name ARNs that a preview does not know.',
    ...each(['UserPolicy', 'RolePolicy', 'BucketPolicy'], ({ inputs }) => {
      const wild = statementsOf(inputs.policy).find(isWild)
      return wild && `it grants ${JSON.stringify(wild)}`
    }),
  },
  {
    name: 'buckets-hardened',
    rule: 'Buckets are owned, closed, encrypted, versioned and under a policy',
    ...eachAmong('Bucket', (bucket, declared) => {
      const present = ofType(declared, hardenings).filter(
        (other) => stackOf(other) === stackOf(bucket),
      )
      const missing = hardenings.find((type) => ofType(present, type).length === 0)
      return missing && `it has no ${missing}`
    }),
  },
  {
    name: 'buckets-closed',
    rule: 'All four public access blocks of a bucket are on',
    ...each('BucketPublicAccessBlock', ({ inputs }) => {
      const open = accessBlocks.find((block) => inputs[block] !== true)
      return open && `${open} is off`
    }),
  },
  {
    name: 'databases-private',
    rule: 'Databases are encrypted, backed up and out of the public network',
    ...each('Instance', ({ inputs }) => {
      if (inputs.publiclyAccessible !== false) return 'it is publicly accessible'
      if (!inputs.storageEncrypted) return 'it is not encrypted'
      return !(inputs.backupRetentionPeriod > 0) && 'it is not backed up'
    }),
  },
  {
    name: 'public-functions-bounded',
    rule: 'A function with a public URL has reserved concurrency: it bounds cost and connections',
    ...eachAmong('FunctionUrl', ({ inputs: { functionName } }, declared) => {
      const bounded = ofType(declared, 'Function').some(
        ({ inputs }) => inputs.name === functionName && inputs.reservedConcurrentExecutions > 0,
      )
      return !bounded && `${functionName} has none`
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

// `bucket/*` is one bucket's objects; a lone star is everything there is.
function isWild({ Effect, Action = [], Resource = [], Principal }: Statement): boolean {
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

// Short texts (a port, a name) are no secrets, whatever stands beside them.
function toTexts({ inputs, secretPaths = [] }: Declared): Text[] {
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
