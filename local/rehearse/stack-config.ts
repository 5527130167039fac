import { qualify } from '../emulators/pulumi/stack-file.ts'
import { UserError } from '../lib/user-error.ts'

type Config = Record<string, unknown>

interface ConfigSources {
  project: string
  /** Config of the project's stack file. */
  config: Config
  /** Values for this machine; undefined removes a key. */
  overrides: Config
  /** Provider settings for this machine. */
  providers: Config
}

/**
 * Returns the config of a rehearsed stack: the keys that the program reads, with the overrides. It omits the
 * provider settings of the stack file, with which the CLI would call a real account.
 */
export function toStackConfig({ project, config, overrides, providers }: ConfigSources): Config {
  const qualified = (values: Config) =>
    Object.entries(values).map(([key, value]): [string, unknown] => [qualify(project, key), value])
  const isRead = ([key, value]: [string, unknown]) =>
    (key.startsWith(`${project}:`) || key === 'aws:region') && !isSecure(value)
  const merged = [...qualified(config).filter(isRead), ...qualified(overrides)]
  const present = Object.entries(Object.fromEntries(merged)).filter(
    ([, value]) => value !== undefined,
  )
  return { ...Object.fromEntries(present), ...providers }
}

/**
 * @throws UserError with the first URL in the values, at any depth, whose origin is not among `ownOrigins`
 */
export function requireOwnUrls(values: Config, ownOrigins: readonly string[]): void {
  for (const [key, value] of Object.entries(values)) {
    if (typeof value === 'object' && value !== null) {
      requireOwnUrls(prefixKeys(key, value), ownOrigins)
    } else if (isUrl(value) && !ownOrigins.includes(toOrigin(value))) {
      throw new UserError(
        `${key} is ${value}, which is not a URL of this rehearsal. Remove it from the stack file.`,
      )
    }
  }
}

function prefixKeys(prefix: string, value: object): Config {
  const entries = Object.entries(value).map(([key, item]) => [`${prefix}.${key}`, item])
  return Object.fromEntries(entries)
}

function isUrl(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z][a-z\d+.-]*:\/\//i.test(value)
}

function toOrigin(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}

// Encrypted values are omitted: a rehearsal has no key to decrypt them.
function isSecure(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'secure' in value
}
