import * as pulumi from '@pulumi/pulumi'
import * as z from 'zod/mini'
import { BUCKET_NAME, PAGE_TYPES, SECRET_MIN_LENGTH, STORE_ORIGIN } from '../contract/constants.ts'

const host = text(
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/,
  'is not a lower-case host name',
)
const identifier = text(/^[0-9a-f]{32}$/, 'is not a 32-digit hexadecimal id')
const name = text(/^[\w.-]{1,128}$/, 'is not a name of up to 128 letters, digits, ".", "_" and "-"')
const region = text(/^[a-z]{2}(-[a-z]+)+-\d$/, 'is not a region')
// Region names of other providers: `auto`, `fsn1`.
const externalRegion = text(/^[a-z0-9-]+$/, 'is not a region')
const bucket = text(BUCKET_NAME, 'is not a bucket name')
const securityGroup = text(/^sg-[0-9a-f]{8,17}$/, 'is not a security group id')
const externalSecurityGroup = text(
  /^(\d{12}\/)?sg-[0-9a-f]{8,17}$/,
  'is not a security group id, sg-… or <account>/sg-…',
)
const cidr = text(
  /^(10\.\d{1,3}|172\.(1[6-9]|2\d|3[01])|192\.168)\.\d{1,3}\.0\/24$/,
  'is not a private network of the form 10.42.0.0/24',
)
const seconds = integer(1, 31_536_000, 'is not a number of seconds from 1 to 31536000')
const flag = z.pipe(
  z.enum(['true', 'false'], 'is neither true nor false'),
  z.transform((value) => value === 'true'),
)
const url = z.pipe(
  z.url({ protocol: /^https?$/, error: 'is not an http(s) URL' }),
  z.transform((value) => value.replace(/\/+$/, '')),
)
// The media worker does not support a path. A password would be stored in plain text.
const origin = text(
  STORE_ORIGIN,
  'is not an origin such as https://host:port or https://{bucket}.host',
)
// Secrets are sent in headers, so only visible ASCII is allowed. A common mistake is the line end of a file.
const token = z
  .string()
  .check(
    z.minLength(SECRET_MIN_LENGTH, `has fewer than ${SECRET_MIN_LENGTH} characters`),
    z.regex(/^[!-~]*$/, 'has characters other than visible ASCII'),
  )

const common = {
  CLOUDFLARE_ACCOUNT_ID: identifier,
  CLOUDFLARE_ZONE_ID: identifier,
  'aws:region': z.optional(region),
  PERMISSIONS_BOUNDARY_ARN: z.optional(
    text(/^arn:aws[\w-]*:iam::(\d{12}|aws):policy\//, 'is not an ARN of an IAM policy'),
  ),
  LOG_SAMPLE: z._default(integer(1, 1_000_000, 'is not a whole number from 1 to 1000000'), 100),
  REDEPLOY: z.optional(name),
  RELEASE_SHA256: z.optional(text(/^[0-9a-f]{64}$/, 'is not a SHA-256 in lower-case hex')),
}
const siteSecrets = { CMS_API_KEY: secret(token), ADMIN_PURGE_SECRET: secret(token) }
const site = {
  ...common,
  ...siteSecrets,
  SITE_HOST: host,
  CMS_SITE_ID: name,
  PAGE_TYPE_TTLS: z._default(json(z.partialRecord(z.enum(PAGE_TYPES), seconds)), {}),
}
const routedSite = { ...site, MANAGE_DNS: z._default(flag, false) }

const backendSecrets = {
  CMS_API_KEYS_EXTRA: z.optional(secret(json(z.array(token)))),
  CMS_PREVIEW_SECRETS_EXTRA: z.optional(secret(json(z.array(token)))),
  DATABASE_ADMIN_PASSWORD: secret(
    text(
      /^(?:(?![/@"])[!-~]){32,128}$/,
      'is not 32 to 128 characters of ASCII without spaces, / @ and "',
    ),
  ),
}
const backend = {
  ...backendSecrets,
  'aws:region': region,
  PUBLIC_V1_ENABLED: z._default(flag, true),
  ALARM_TOPIC_ARN: z.optional(text(/^arn:aws[\w-]*:sns:/, 'is not an ARN of an SNS topic')),
  DATABASE_NAME: z._default(text(/^[a-z]\w{0,62}$/, 'is not a database name'), 'cms'),
  DATABASE_USER: z._default(text(/^[a-z]\w{0,62}$/, 'is not a role name'), 'cms_api'),
  DATABASE_ADMIN_USER: z._default(text(/^[a-z]\w{0,15}$/, 'is not a user name'), 'cms_owner'),
}
const ownDatabase = {
  CMS_SECURITY_GROUP_ID: z.optional(externalSecurityGroup),
  NETWORK_CIDR: z.optional(cidr),
}
const externalDatabase = {
  DATABASE_HOST: host,
  DATABASE_PORT: z._default(integer(1, 65_535, 'is not a port'), 5432),
  DATABASE_RESOURCE_ID: text(/^(db|cluster)-[A-Z0-9]+$/, 'is not a resource id of an RDS database'),
  DATABASE_SUBNET_IDS: json(z.array(text(/^subnet-[0-9a-f]{8,17}$/, 'is not a subnet id'))),
  DATABASE_SECURITY_GROUP_ID: securityGroup,
}

const storeSecrets = {
  STORE_ACCESS_KEY_ID: secret(text(/^[!-~]{16,}$/, 'is not an access key id')),
  STORE_SECRET_ACCESS_KEY: secret(token),
}
const media = {
  ...common,
  MEDIA_HOSTS: json(z.array(host).check(z.minLength(1, 'must list at least one host'))),
  STORE_BUCKET: bucket,
  STORE_REGION: region,
  STORE_ENDPOINT: z.optional(origin),
  MEDIA_CACHE_TTL: seconds,
}

/**
 * The settings of each kind of site stack. `config.ts` derives the kind from the settings that are
 * present. The first three kinds allow each other's settings, so that a stack can change its kind and change it back.
 * Other settings are rejected.
 */
export const siteSettings = z.discriminatedUnion('kind', [
  kind('own-backend', { ...optional(externalDatabase), ...routedSite, ...backend, ...ownDatabase }),
  kind('external-database', {
    ...optional(ownDatabase),
    ...routedSite,
    ...backend,
    ...externalDatabase,
  }),
  kind('external-backend', {
    ...optional({ ...backend, ...ownDatabase, ...externalDatabase }),
    ...routedSite,
    CMS_API_BASE_URL: url,
  }),
  kind('canary', {
    ...site,
    CMS_API_BASE_URL: z.optional(url),
    CSS_OVERRIDE_SLUG: name,
    CSS_OVERRIDE_VERSION: name,
  }),
])
export type SiteSettings = z.infer<typeof siteSettings>
export type BackendSettings = Extract<SiteSettings, { kind: 'own-backend' | 'external-database' }>

export const mediaSettings = z.discriminatedUnion('kind', [
  kind('own-bucket', { ...media, 'aws:region': region }),
  kind('external-bucket', { ...media, ...storeSecrets, STORE_REGION: externalRegion }),
])
export type MediaSettings = z.infer<typeof mediaSettings>

/** Names of the settings that must be secrets of the engine. */
export const secretSettings = Object.keys({ ...siteSecrets, ...backendSecrets, ...storeSecrets })

function kind<const K extends string, Shape extends z.core.$ZodLooseShape>(name: K, shape: Shape) {
  return z.strictObject({ kind: z.literal(name), ...shape })
}

/** Makes each field of a shape optional. */
function optional<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.partial(z.object(shape)).shape
}

function text(pattern: RegExp, error: string) {
  return z.string().check(z.regex(pattern, error))
}

function integer(min: number, max: number, error: string) {
  return z.coerce.number(error).check(z.int(error), z.gte(min, error), z.lte(max, error))
}

/** Creates a schema for a list or an object, which the engine passes as JSON. */
function json<Schema extends z.ZodMiniType>(schema: Schema) {
  const parsed = z.transform((value: string, context) => {
    try {
      return JSON.parse(value) as unknown
    } catch {
      context.issues.push({ code: 'custom', message: 'is not valid JSON', input: undefined })
      return z.NEVER
    }
  })
  return z.pipe(z.pipe(z.string(), parsed), schema)
}

/** Creates a schema whose output is a secret of the engine. */
function secret<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.pipe(
    schema,
    z.transform((value: z.output<Schema>) => pulumi.secret(value)),
  )
}
