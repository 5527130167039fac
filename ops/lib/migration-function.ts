import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as z from 'zod/mini'
import { toMigrateFunctionName } from '../../infra/environments.ts'
import { openAws } from './aws.ts'
import type { SiteBackend } from './backend.ts'

/**
 * Invokes the migration function and parses its result.
 * @throws Error with the function's own message when it fails
 */
export type InvokeMigration = <T>(event: object, result: z.ZodMiniType<T>) => Promise<T>

const Failure = z.object({ errorMessage: z.string() })
const ROOT = join(import.meta.dirname, '../..')

/** Returns the migration function of a backend: a Lambda, or the same handler as a process on this machine. */
export function openMigrationFunction(
  backend: SiteBackend,
  env: NodeJS.ProcessEnv,
): InvokeMigration {
  const invoke =
    backend.type === 'aws'
      ? createLambdaInvoke(backend, env)
      : createProcessInvoke(backend.databaseUrl, env)
  return async (event, result) => {
    const outcome: unknown = JSON.parse(await invoke(JSON.stringify(event)))
    const failure = Failure.safeParse(outcome)
    if (failure.success) throw new Error(failure.data.errorMessage)
    const parsed = result.safeParse(outcome)
    if (parsed.success) return parsed.data
    throw new Error(
      `The migration function's result does not match its schema. Deploy its current code: ${z.prettifyError(parsed.error)}`,
    )
  }
}

type Invoke = (event: string) => Promise<string>

function createLambdaInvoke(
  { region, tier }: Extract<SiteBackend, { type: 'aws' }>,
  env: NodeJS.ProcessEnv,
): Invoke {
  const name = toMigrateFunctionName(tier)
  const aws = openAws(region, env)
  return async (body) => {
    const path = `/2015-03-31/functions/${name}/invocations`
    const response = await aws('lambda', path, { method: 'POST', body })
    if (response.ok) return response.text()
    throw new Error(`Lambda responded with status ${response.status} to the invocation of ${name}.`)
  }
}

function createProcessInvoke(databaseUrl: string, env: NodeJS.ProcessEnv): Invoke {
  return async (event) => {
    const script = join(ROOT, 'local/emulators/lambda/invoke.ts')
    // `cms_api` is the database role of the read API.
    const child = spawn(process.execPath, [script, join(ROOT, 'api/entrypoints/migrate.ts')], {
      env: { ...env, DATABASE_URL: databaseUrl, DATABASE_USER: 'cms_api' },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    child.stdin.end(event)
    const [output] = await Promise.all([text(child.stdout), exited])
    return output
  }
}
