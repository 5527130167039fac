import { secretSettings } from './settings.ts'

/** A missing, invalid or unknown setting, or a missing credential. */
export interface SettingProblem {
  path: readonly PropertyKey[]
  /** The end of a sentence that begins with the path, such as `is missing`. */
  text: string
  /** Whether no setting has this name; then the command removes it. */
  unknown?: boolean
  /** Command that fixes the problem; by default `pulumi config set` or `pulumi config rm`. */
  command?: string
}

/** Returns one message with all problems of a stack's settings, each with the command that fixes it. */
export function toMessage(stack: string, problems: readonly SettingProblem[]): string {
  const lines = problems.map((problem) => {
    const command = problem.command ?? `${toCommand(problem)} --stack ${stack}`
    return `  ${toPath(problem.path)} ${problem.text}:\n    ${command}`
  })
  return [`The configuration of ${stack} is invalid.`, ...new Set(lines)].join('\n')
}

function toCommand({ path, unknown }: SettingProblem): string {
  const key = String(path[0])
  const target = unknown || path.length > 1 ? path : [key, ...(FIRST_ITEMS[key] ?? [])]
  const flags = [
    secretSettings.includes(key) && !unknown ? ['--secret'] : [],
    target.length > 1 ? ['--path', `'${toPath(target)}'`] : [toPath(target)],
  ].flat()
  const words = unknown ? ['rm', ...flags] : ['set', ...flags, EXAMPLES[key] ?? '<value>']
  return ['pulumi config', ...words].join(' ')
}

/** Returns a path in the notation of the CLI: `PAGE_TYPE_TTLS.home`, `MEDIA_HOSTS[0]`. */
function toPath([key = '', ...rest]: readonly PropertyKey[]): string {
  const steps = rest.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
  return [String(key), ...steps].join('')
}

/** Path of the first value in settings that are lists or objects. */
const FIRST_ITEMS: Record<string, PropertyKey[]> = {
  CMS_API_KEYS_EXTRA: [0],
  CMS_PREVIEW_SECRETS_EXTRA: [0],
  DATABASE_SUBNET_IDS: [0],
  MEDIA_HOSTS: [0],
  PAGE_TYPE_TTLS: ['home'],
}

const RANDOM = '"$(openssl rand -hex 32)"'
/** The value that a command sets, by setting. */
const EXAMPLES: Record<string, string> = {
  'aws:region': 'eu-central-1',
  ADMIN_PURGE_SECRET: RANDOM,
  ALARM_TOPIC_ARN: 'arn:aws:sns:eu-central-1:123456789012:alarms',
  CLOUDFLARE_ACCOUNT_ID: '"$CLOUDFLARE_ACCOUNT_ID"',
  CLOUDFLARE_ZONE_ID: '"$CLOUDFLARE_ZONE_ID"',
  CMS_API_BASE_URL: 'https://cms.example.com/public/v2',
  CMS_API_KEY: RANDOM,
  CMS_API_KEYS_EXTRA: RANDOM,
  CMS_PREVIEW_SECRETS_EXTRA: RANDOM,
  CMS_SECURITY_GROUP_ID: 'sg-0123456789abcdef0',
  CMS_SITE_ID: 'harbour',
  CSS_OVERRIDE_SLUG: 'harbour',
  CSS_OVERRIDE_VERSION: '2',
  DATABASE_ADMIN_PASSWORD: RANDOM,
  DATABASE_ADMIN_USER: 'cms_owner',
  DATABASE_HOST: 'cms.abc123.eu-central-1.rds.amazonaws.com',
  DATABASE_NAME: 'cms',
  DATABASE_PORT: '5432',
  DATABASE_RESOURCE_ID: 'db-ABCDEFGHIJKLMNOPQRSTUVWXY1',
  DATABASE_SECURITY_GROUP_ID: 'sg-0123456789abcdef0',
  DATABASE_SUBNET_IDS: 'subnet-0123456789abcdef0',
  DATABASE_USER: 'cms_api',
  LOG_SAMPLE: '100',
  MANAGE_DNS: 'true',
  MEDIA_CACHE_TTL: '604800',
  MEDIA_HOSTS: 'www.example.com',
  NETWORK_CIDR: '10.42.0.0/24',
  PAGE_TYPE_TTLS: '60',
  PERMISSIONS_BOUNDARY_ARN: 'arn:aws:iam::123456789012:policy/cms-edge-boundary',
  PUBLIC_V1_ENABLED: 'true',
  REDEPLOY: '"$(date +%s)"',
  RELEASE_SHA256: '"$RELEASE_SHA256"',
  SITE_HOST: 'www.example.com',
  STORE_ACCESS_KEY_ID: '"$STORE_ACCESS_KEY_ID"',
  STORE_BUCKET: 'example-media',
  STORE_ENDPOINT: 'https://s3.example.com',
  STORE_REGION: 'eu-central-1',
  STORE_SECRET_ACCESS_KEY: '"$STORE_SECRET_ACCESS_KEY"',
}
