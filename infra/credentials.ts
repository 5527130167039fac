import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { SettingProblem } from './config-errors.ts'

type Values = Readonly<Record<string, string | undefined>>

interface CredentialSources {
  /** Settings by full key, including those of the providers, such as `aws:profile`. */
  values: Values
  /** Variables of the process. */
  variables: Values
  needsAws: boolean
  exists?: (path: string) => boolean
}

const CLOUDFLARE_VARIABLES = [
  'CLOUDFLARE_API_TOKEN',
  'CLOUDFLARE_API_KEY',
  'CLOUDFLARE_API_USER_SERVICE_KEY',
]
const CLOUDFLARE_KEYS = ['cloudflare:apiToken', 'cloudflare:apiKey', 'cloudflare:apiUserServiceKey']
const AWS_VARIABLES = [
  'AWS_ACCESS_KEY_ID',
  'AWS_PROFILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
]
const AWS_KEYS = [
  'aws:accessKey',
  'aws:profile',
  'aws:assumeRoles',
  'aws:assumeRoleWithWebIdentity',
]

/** Returns a problem for each provider without credentials: a preview would succeed, but an update fail. */
export function findMissingCredentials(context: CredentialSources): SettingProblem[] {
  const { values, variables, needsAws } = context
  // PULUMI_DEBUG_PROVIDERS lists running providers as `<name>:<port>`; they have their own credentials.
  const isAttached = (provider: string) =>
    variables.PULUMI_DEBUG_PROVIDERS?.split(',').some((each) => each.startsWith(`${provider}:`))
  const hasOne = (names: readonly string[], from: Values) => names.some((name) => from[name])
  const hasCloudflare =
    isAttached('cloudflare') ||
    hasOne(CLOUDFLARE_VARIABLES, variables) ||
    hasOne(CLOUDFLARE_KEYS, values)
  const hasAws =
    !needsAws ||
    isAttached('aws') ||
    hasOne(AWS_VARIABLES, variables) ||
    hasOne(AWS_KEYS, values) ||
    // The provider uses the role of the machine (instance metadata) only if this setting is false.
    values['aws:skipMetadataApiCheck'] === 'false' ||
    hasAwsFiles(context)
  return [...(hasCloudflare ? [] : [CLOUDFLARE_PROBLEM]), ...(hasAws ? [] : [AWS_PROBLEM])]
}

const CLOUDFLARE_PROBLEM: SettingProblem = {
  path: ['CLOUDFLARE_API_TOKEN'],
  text: 'is not set (docs/operations.md lists the permissions of the token)',
  command: 'export CLOUDFLARE_API_TOKEN=<token>',
}
const AWS_PROBLEM: SettingProblem = {
  path: ['AWS_ACCESS_KEY_ID'],
  text: 'is not set, and no AWS profile is configured',
  command: 'eval "$(aws configure export-credentials --format env)"',
}

function hasAwsFiles({ variables, exists = existsSync }: CredentialSources): boolean {
  const folder = join(variables.HOME ?? homedir(), '.aws')
  return ['credentials', 'config'].some((file) => exists(join(folder, file)))
}
