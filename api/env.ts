import * as z from 'zod/mini'

const Digest = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be SHA-256 digests in hex'))
const Digests = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text: string) => text.split(',').filter(Boolean)),
  ),
  z.array(Digest),
)
const Port = z.pipe(
  z.pipe(z.string().check(z.regex(/^\d{1,5}$/, 'must be a port')), z.transform(Number)),
  z.int().check(z.maximum(65_535)),
)

const GeneralVariables = z.object({
  CMS_API_KEY_DIGESTS: Digests.check(
    z.refine((digests) => digests.length > 0, 'must have at least one digest'),
  ),
  CMS_PREVIEW_DIGESTS: z._default(Digests, []),
  PUBLIC_V1_ENABLED: z._default(z.enum(['true', 'false']), 'true'),
  LOG_LEVEL: z._default(z.enum(['debug', 'info', 'warn', 'error', 'silent']), 'info'),
  PORT: z._default(Port, 8788),
  DOCS_API_KEY: z.optional(z.string()),
  AWS_LAMBDA_FUNCTION_NAME: z._default(z.string(), 'local'),
})
const UrlAddress = z.object({ DATABASE_URL: z.string().check(z.minLength(1)) })
const IamAddress = z.object({
  DATABASE_HOST: z.string().check(z.minLength(1)),
  DATABASE_PORT: z._default(Port, 5432),
  DATABASE_NAME: z.string().check(z.minLength(1)),
  DATABASE_USER: z.string().check(z.minLength(1)),
  AWS_REGION: z.string(),
  AWS_ACCESS_KEY_ID: z.string(),
  AWS_SECRET_ACCESS_KEY: z.string(),
  AWS_SESSION_TOKEN: z.optional(z.string()),
})

/** Address of PostgreSQL: a URL, or an RDS host with IAM authentication. */
export type DatabaseAddress =
  | { type: 'url'; url: string }
  | ({ type: 'iam' } & z.infer<typeof IamAddress>)

export interface ApiEnvironment {
  /** Lower-case hex SHA-256 of each API key; never empty. */
  keyDigests: readonly string[]
  /** Lower-case hex SHA-256 of each preview secret; may be empty. */
  previewDigests: readonly string[]
  v1Enabled: boolean
  logLevel: z.infer<typeof GeneralVariables>['LOG_LEVEL']
  port: number
  /** API key that the local reference page sends. */
  docsKey: string | undefined
  /** Dimensions of the metric `Omissions` in CloudWatch. */
  metricDimensions: { FunctionName: string }
  databaseAddress: DatabaseAddress
}

/**
 * Parses the environment variables of the read API.
 * @throws Error with one line for each variable that is missing or malformed
 */
export function parseEnvironment(variables: Record<string, string | undefined>): ApiEnvironment {
  const general = z.safeParse(GeneralVariables, variables)
  // DATABASE_HOST takes precedence over DATABASE_URL.
  const isByUrl = variables.DATABASE_HOST === undefined
  const address = z.safeParse<typeof UrlAddress | typeof IamAddress>(
    isByUrl ? UrlAddress : IamAddress,
    variables,
  )
  const issues = [...(general.error?.issues ?? []), ...(address.error?.issues ?? [])]
  if (!general.success || !address.success)
    throw new Error(['Invalid environment variables:', ...issues.map(toLine)].join('\n  '))
  return {
    keyDigests: general.data.CMS_API_KEY_DIGESTS,
    previewDigests: general.data.CMS_PREVIEW_DIGESTS,
    v1Enabled: general.data.PUBLIC_V1_ENABLED === 'true',
    logLevel: general.data.LOG_LEVEL,
    port: general.data.PORT,
    docsKey: general.data.DOCS_API_KEY,
    metricDimensions: { FunctionName: general.data.AWS_LAMBDA_FUNCTION_NAME },
    databaseAddress:
      'DATABASE_URL' in address.data
        ? { type: 'url', url: address.data.DATABASE_URL }
        : { type: 'iam', ...address.data },
  }
}

const toLine = ({ path, message }: z.core.$ZodIssue): string => `${String(path[0])}: ${message}`
