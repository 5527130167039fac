import * as pulumi from '@pulumi/pulumi'
import type * as z from 'zod/mini'
import { type SettingProblem, toMessage } from './config-errors.ts'
import { findMissingCredentials } from './credentials.ts'
import type { SiteEnvironment } from './environments.ts'
import {
  type MediaSettings,
  mediaSettings,
  type SiteSettings,
  secretSettings,
  siteSettings,
} from './settings.ts'

const PROJECT = 'cms-edge'

export interface RawConfig {
  stack: string
  /** Values by full key, such as `cms-edge:SITE_HOST`; lists and objects are JSON. */
  values: Record<string, string>
  /** Full keys of the values that are stored as secrets. */
  secretKeys: readonly string[]
  /** Variables of the process; if absent, the credentials of the providers are not checked. */
  variables?: Readonly<Record<string, string | undefined>>
}

/** Returns the configuration that the engine passes to the running stack. */
export function readRawConfig(): RawConfig {
  return {
    stack: pulumi.getStack(),
    values: pulumi.runtime.allConfig(),
    secretKeys: JSON.parse(process.env.PULUMI_CONFIG_SECRET_KEYS ?? '[]'),
    variables: process.env,
  }
}

/**
 * Validates the settings of a site stack.
 * @throws RunError with all problems, each with the command that fixes it
 */
export function parseSiteConfig({ backend }: SiteEnvironment, raw: RawConfig): SiteSettings {
  return parse(siteSettings, raw, (values) => {
    if (backend !== 'own') return 'canary'
    if ('CMS_API_BASE_URL' in values) return 'external-backend'
    return 'DATABASE_HOST' in values ? 'external-database' : 'own-backend'
  })
}

/**
 * Validates the settings of a media stack.
 * @throws RunError with all problems, each with the command that fixes it
 */
export function parseMediaConfig(raw: RawConfig): MediaSettings {
  return parse(mediaSettings, raw, (values) => {
    const isExternal = 'STORE_ACCESS_KEY_ID' in values || 'STORE_SECRET_ACCESS_KEY' in values
    return isExternal ? 'external-bucket' : 'own-bucket'
  })
}

function parse<Schema extends z.ZodMiniType<{ kind: string }>>(
  schema: Schema,
  raw: RawConfig,
  decideKind: (values: Record<string, string>) => z.output<Schema>['kind'],
): z.output<Schema> {
  const values = selectProjectValues(raw.values)
  const kind = decideKind(values)
  const result = schema.safeParse({ kind, ...values })
  const problems = [
    ...findPlainSecrets(raw),
    ...(result.error?.issues ?? []).flatMap((issue) => toProblems(issue, values)),
    ...findCredentialProblems(raw, kind),
  ]
  if (result.success && problems.length === 0) return result.data
  throw new pulumi.RunError(toMessage(raw.stack, problems))
}

const KINDS_ON_AWS = ['own-backend', 'external-database', 'own-bucket']

function findCredentialProblems({ values, variables }: RawConfig, kind: string): SettingProblem[] {
  if (variables === undefined) return []
  return findMissingCredentials({ values, variables, needsAws: KINDS_ON_AWS.includes(kind) })
}

/** Returns the settings of this project without its prefix, and the region of the AWS provider. */
function selectProjectValues(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([key]) => key.startsWith(`${PROJECT}:`) || key === 'aws:region')
      .map(([key, value]) => [key.replace(`${PROJECT}:`, ''), value]),
  )
}

function findPlainSecrets({ values, secretKeys }: RawConfig): SettingProblem[] {
  return secretSettings
    .filter((key) => {
      const value = values[`${PROJECT}:${key}`]
      // `pulumi config rm` of the last item leaves an empty list, which is not encrypted.
      const isSet = value !== undefined && value !== '[]'
      return isSet && !secretKeys.includes(`${PROJECT}:${key}`)
    })
    .map((key) => ({ text: 'is a secret in plain text', path: [key] }))
}

function toProblems(issue: z.core.$ZodIssue, values: Record<string, string>): SettingProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      text: 'is not a known setting',
      path: [...issue.path, key],
      unknown: true,
    }))
  }
  const isMissing = !(String(issue.path[0]) in values)
  return [{ text: isMissing ? 'is missing' : issue.message, path: issue.path }]
}
