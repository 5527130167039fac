import * as pulumi from '@pulumi/pulumi'
import type * as z from 'zod/mini'
import type { SiteEnvironment } from './environments.ts'
import {
  type MediaSettings,
  mediaSettings,
  type SiteSettings,
  secretSettings,
  siteSettings,
} from './settings.ts'

const project = 'cms-edge'

export interface RawConfig {
  stack: string
  /** By full key, `cms-edge:SITE_HOST`; lists and objects as JSON. */
  values: Record<string, string>
  secretKeys: readonly string[]
}

/** What the engine gives the stack that runs. */
export function readRawConfig(): RawConfig {
  return {
    stack: pulumi.getStack(),
    values: pulumi.runtime.allConfig(),
    secretKeys: JSON.parse(process.env.PULUMI_CONFIG_SECRET_KEYS ?? '[]'),
  }
}

/** Throws with all that is wrong, and for each the command that mends it. */
export function parseSiteConfig({ backend }: SiteEnvironment, raw: RawConfig): SiteSettings {
  return parse(siteSettings, raw, (values) => {
    if (backend !== 'own') return 'canary'
    if ('CMS_API_BASE_URL' in values) return 'foreign-backend'
    return 'DATABASE_HOST' in values ? 'foreign-database' : 'own-backend'
  })
}

/** Throws as parseSiteConfig does. */
export function parseMediaConfig(raw: RawConfig): MediaSettings {
  return parse(mediaSettings, raw, (values) => {
    const foreign = 'STORE_ACCESS_KEY_ID' in values || 'STORE_SECRET_ACCESS_KEY' in values
    return foreign ? 'foreign-bucket' : 'own-bucket'
  })
}

function parse<Schema extends z.ZodMiniType<{ kind: string }>>(
  schema: Schema,
  raw: RawConfig,
  decideKind: (values: Record<string, string>) => z.output<Schema>['kind'],
): z.output<Schema> {
  const values = ownValues(raw.values)
  const result = schema.safeParse({ kind: decideKind(values), ...values })
  const problems = [
    ...plainSecrets(raw),
    ...(result.error?.issues ?? []).flatMap((issue) => toProblems(issue, values)),
  ]
  if (result.success && problems.length === 0) return result.data
  throw new pulumi.RunError(toMessage(raw.stack, problems))
}

/** Keys of this project without its name; of the providers' own only the region. */
function ownValues(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([key]) => key.startsWith(`${project}:`) || key === 'aws:region')
      .map(([key, value]) => [key.replace(`${project}:`, ''), value]),
  )
}

interface Problem {
  text: string
  path: readonly PropertyKey[]
  unknown?: boolean
}

function plainSecrets({ values, secretKeys }: RawConfig): Problem[] {
  return secretSettings
    .filter((key) => `${project}:${key}` in values && !secretKeys.includes(`${project}:${key}`))
    .map((key) => ({ text: 'is a secret in plain text', path: [key] }))
}

function toProblems(issue: z.core.$ZodIssue, values: Record<string, string>): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      text: 'is not known',
      path: [...issue.path, key],
      unknown: true,
    }))
  }
  const missing = !(String(issue.path[0]) in values)
  return [{ text: missing ? 'is missing' : issue.message, path: issue.path }]
}

function toMessage(stack: string, problems: readonly Problem[]): string {
  const lines = problems.map(
    (problem) =>
      `  ${toPath(problem.path)} ${problem.text}:\n    ${toCommand(problem)} --stack ${stack}`,
  )
  return [`The configuration of ${stack} cannot be used.`, ...new Set(lines)].join('\n')
}

const lists = [
  'CMS_API_KEYS_EXTRA',
  'CMS_PREVIEW_SECRETS_EXTRA',
  'DATABASE_SUBNET_IDS',
  'MEDIA_HOSTS',
]
const random = '"$(openssl rand -hex 32)"'
const examples: Record<string, string> = {
  ADMIN_PURGE_SECRET: random,
  CMS_API_KEY: random,
  CMS_API_KEYS_EXTRA: random,
  CMS_PREVIEW_SECRETS_EXTRA: random,
  DATABASE_ADMIN_PASSWORD: random,
  MANAGE_DNS: 'true',
  MEDIA_CACHE_TTL: '604800',
  PAGE_TYPE_TTLS: '60',
  PUBLIC_V1_ENABLED: 'true',
}

function toCommand({ path, unknown }: Problem): string {
  const [key = ''] = path.map(String)
  const target = lists.includes(key) && path.length === 1 ? [key, 0] : path
  const flags = target.length > 1 ? ['--path'] : []
  if (unknown) return ['pulumi config rm', ...flags, quote(toPath(target))].join(' ')
  if (secretSettings.includes(key)) flags.unshift('--secret')
  const value = examples[key] ?? `"$${key.replace(/\W/g, '_').toUpperCase()}"`
  return ['pulumi config set', ...flags, quote(toPath(target)), value].join(' ')
}

function toPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index ? '.' : ''}${String(part)}`,
    )
    .join('')
}

function quote(target: string): string {
  return /^[\w:.]+$/.test(target) ? target : `'${target}'`
}
