import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { toErrorMessage, UserError } from '../../lib/user-error.ts'

const Secure = z.object({ secure: z.string() })
const ConfigValues = z._default(z.nullable(z.record(z.string(), z.unknown())), {})
const ProjectFile = z.object({ name: z.string(), main: z.string(), config: ConfigValues })
const StackFile = z.nullable(z.object({ config: ConfigValues }))

export interface StackConfig {
  project: string
  /** Absolute path of the program. */
  program: string
  /** Values in the engine's format: every key has a namespace, every value is a string. */
  values: Record<string, string>
  /** Keys whose value is encrypted in the file; only the CLI can decrypt it. */
  secureKeys: string[]
}

/**
 * Reads `Pulumi.yaml` and `Pulumi.<stack>.yaml` of a folder as the CLI does.
 *
 * @throws UserError when a file is missing or invalid
 */
export async function readStackConfig(folder: string, stack: string): Promise<StackConfig> {
  const { name, main, config } = await readYaml(join(folder, 'Pulumi.yaml'), ProjectFile)
  const file = await readYaml(join(folder, `Pulumi.${stack}.yaml`), StackFile)
  const entries = Object.entries({ ...toDefaults(config ?? {}), ...file?.config }).map(
    ([key, value]): [string, unknown] => [qualify(name, key), value],
  )
  const isSecure = ([, value]: [string, unknown]) => z.safeParse(Secure, value).success
  return {
    project: name,
    program: resolve(folder, main),
    values: Object.fromEntries(
      entries.filter((entry) => !isSecure(entry)).map(([key, value]) => [key, toText(value)]),
    ),
    secureKeys: entries.filter(isSecure).map(([key]) => key),
  }
}

/** Adds the project as the namespace of a key without one. */
export function qualify(project: string, key: string): string {
  return key.includes(':') ? key : `${project}:${key}`
}

/** Returns the project's values. Each is given as a value, or as an object with `value` or `default`. */
function toDefaults(config: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(config).flatMap(([key, declared]) => {
    if (typeof declared !== 'object' || declared === null) return [[key, declared] as const]
    const value = 'value' in declared ? declared.value : 'default' in declared && declared.default
    return value === false ? [] : [[key, value] as const]
  })
  return Object.fromEntries(entries)
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

async function readYaml<S extends z.ZodMiniType>(path: string, schema: S): Promise<z.output<S>> {
  const text = await readFile(path, 'utf8').catch((error) => {
    throw new UserError(`${path} cannot be read: ${toErrorMessage(error)}`)
  })
  try {
    return z.parse(schema, parse(text))
  } catch (error) {
    const reason =
      error instanceof z.core.$ZodError ? z.prettifyError(error) : toErrorMessage(error)
    throw new UserError(`${path} is not a valid stack file: ${reason.split('\n')[0]}`)
  }
}
