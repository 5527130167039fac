import { qualify } from '../emulators/pulumi/stack-file.ts'
import { UserError } from '../lib/user-error.ts'

type Config = Record<string, unknown>

interface Source {
  project: string
  /** Config of the project's stack file. */
  config: Config
  /** Values for this machine; undefined removes a key. */
  overrides: Config
  /** Settings of the providers, all of them the rehearsal's own. */
  providers: Config
}

/**
 * Returns the config of a rehearsed stack: the keys that the program itself reads, never a provider's.
 * A provider's settings in the stack file would win over the environment and reach a real account.
 */
export function toStackConfig({ project, config, overrides, providers }: Source): Config {
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

/** @throws UserError that names the first URL whose origin is not one of `own` */
export function requireOwnAddresses(values: Config, own: readonly string[]): void {
  for (const [key, value] of Object.entries(values)) {
    if (typeof value === 'object' && value !== null) {
      requireOwnAddresses(prefixKeys(key, value), own)
    } else if (isUrl(value) && !own.includes(toOrigin(value))) {
      throw new UserError(
        `${key} is ${value}, which is not an address of this rehearsal. Remove it from the stack file.`,
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

// Encrypted values need a key that a rehearsal must not have.
function isSecure(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'secure' in value
}
