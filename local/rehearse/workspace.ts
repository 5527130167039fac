import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parse, stringify } from 'yaml'
import { type LocalTargets, overrideForLocal } from '../deploy/stack-overrides.ts'
import { qualify } from '../emulators/pulumi/stack-file.ts'
import { derive } from '../emulators/pulumi/stub-context.ts'
import { root } from '../lib/paths.ts'
import { UserError } from '../lib/user-error.ts'

export interface Ran {
  code: number | null
  said: string
}

/** A copy of the project's Pulumi files with a state of its own: those of the project stay as they are. */
export interface Workspace {
  folder: string
  env: NodeJS.ProcessEnv
  /** Makes a stack with the project's settings, made local, and fresh secrets. */
  init(stack: string): Promise<void>
  /** Runs the CLI on a stack; an aborted run is killed by SIGKILL. */
  pulumi(stack: string, args: readonly string[], signal?: AbortSignal): Promise<Ran>
}

interface Options {
  folder: string
  world: LocalTargets
  /** How Cloudflare and the providers are reached. */
  doors: NodeJS.ProcessEnv
}

export async function openWorkspace({ folder, world, doors }: Options): Promise<Workspace> {
  const state = join(folder, 'state')
  await mkdir(state, { recursive: true })
  const project = parse(await readFile(join(root, 'Pulumi.yaml'), 'utf8'))
  const main = resolve(root, project.main)
  await writeFile(join(folder, 'Pulumi.yaml'), stringify({ ...project, main }))
  const env = {
    ...withoutStack(process.env),
    ...doors,
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_CONFIG_PASSPHRASE: derive(world.seed, 'passphrase'),
    PULUMI_SKIP_UPDATE_CHECK: 'true',
  }
  const run = async (args: readonly string[], input = '', signal?: AbortSignal): Promise<Ran> => {
    const flags = ['--non-interactive', '--color', 'never']
    const child = spawn('pulumi', [...args, ...flags], {
      cwd: folder,
      env,
      detached: signal !== undefined,
    })
    // The CLI of npm's package runs the real one: only their group dies as one.
    signal?.addEventListener('abort', () => child.pid && process.kill(-child.pid, 'SIGKILL'))
    child.on('error', () => {})
    child.stdin.end(input)
    const ended = once(child, 'close').catch(() => [null])
    const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    return { code, said: `${out}${error}`.trim() }
  }
  const must = async (args: readonly string[], input?: string) => {
    const { code, said } = await run(args, input)
    if (code !== 0) throw new UserError(`pulumi ${args.join(' ')} failed:\n${said}`)
  }
  return {
    folder,
    env,
    async init(stack) {
      const { config = {}, secrets = {} } = await overrideForLocal(stack, world)
      await writeStackFile(folder, stack, project.name, config)
      await must(['stack', 'init', stack])
      for (const [key, value] of Object.entries(secrets)) {
        await must(['config', 'set', '--secret', key, '--stack', stack], value)
      }
    },
    pulumi: (stack, args, signal) => run([...args, '--stack', stack], '', signal),
  }
}

async function writeStackFile(
  folder: string,
  stack: string,
  project: string,
  laid: Record<string, string | undefined>,
): Promise<void> {
  const name = `Pulumi.${stack}.yaml`
  const { config } = parse(await readFile(join(root, name), 'utf8'))
  const overlay = Object.entries(laid).map(([key, value]) => [qualify(project, key), value])
  const merged = Object.entries({ ...config, ...Object.fromEntries(overlay) })
  // What is encrypted there can be read only with a key that a rehearsal must not have.
  const plain = merged.filter(([, value]) => value !== undefined && !isSecure(value))
  await writeFile(join(folder, name), stringify({ config: Object.fromEntries(plain) }))
}

function isSecure(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'secure' in value
}

// Which stack, where its state is and how it is encrypted are the rehearsal's own.
function withoutStack(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = /^PULUMI_(STACK|CONFIG|BACKEND|ACCESS_TOKEN|DEBUG)/
  return Object.fromEntries(Object.entries(env).filter(([name]) => !own.test(name)))
}
