import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parse, stringify } from 'yaml'
import type { PulumiCli } from '../../ops/lib/pulumi-cli.ts'
import { type LocalTargets, overrideForLocal } from '../deploy/stack-overrides.ts'
import { derive } from '../emulators/pulumi/stub-context.ts'
import { root } from '../lib/paths.ts'
import { UserError } from '../lib/user-error.ts'
import { requireOwnAddresses, toStackConfig } from './stack-config.ts'

export interface CliOutput {
  code: number | null
  output: string
}

/** A copy of the project's Pulumi files with its own state; the project's files are not changed. */
export interface Workspace {
  folder: string
  env: NodeJS.ProcessEnv
  /** Creates a stack with the project's settings, overridden for local resources, and new secrets. */
  init(stack: string): Promise<void>
  /** Runs the CLI on a stack; an aborted run is killed by SIGKILL. */
  pulumi(stack: string, args: readonly string[], signal?: AbortSignal): Promise<CliOutput>
}

interface WorkspaceSettings {
  folder: string
  cli: PulumiCli
  world: LocalTargets
  /** Addresses of this machine's Cloudflare API and of the attached providers. */
  access: Access
}

interface Access {
  CLOUDFLARE_BASE_URL: string
  CLOUDFLARE_API_TOKEN: string
  PULUMI_DEBUG_PROVIDERS: string
}

export async function openWorkspace({
  folder,
  cli,
  world,
  access,
}: WorkspaceSettings): Promise<Workspace> {
  const state = join(folder, 'state')
  await mkdir(state, { recursive: true })
  const project = await writeProjectFile(folder, world.folder)
  const env = {
    ...withoutClouds(process.env),
    ...access,
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_CONFIG_PASSPHRASE: derive(world.seed, 'passphrase'),
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    AWS_EC2_METADATA_DISABLED: 'true',
  }
  const run = createRun(cli, folder, env)
  const must = async (args: readonly string[], input?: string) => {
    const { code, output } = await run(args, input)
    if (code !== 0) throw new UserError(`pulumi ${args.join(' ')} failed:\n${output}`)
  }
  return {
    folder,
    env,
    async init(stack) {
      const { config: overrides = {}, secrets = {} } = await overrideForLocal(stack, world)
      const file = `Pulumi.${stack}.yaml`
      const { config } = parse(await readFile(join(world.folder, file), 'utf8'))
      const providers = { 'cloudflare:baseUrl': access.CLOUDFLARE_BASE_URL }
      const rehearsed = toStackConfig({ project, config, overrides, providers })
      requireOwnAddresses(rehearsed, toOrigins(world, access))
      await writeFile(join(folder, file), stringify({ config: rehearsed }))
      await must(['stack', 'init', stack])
      for (const [key, value] of Object.entries(secrets)) {
        await must(['config', 'set', '--secret', key, '--stack', stack], value)
      }
    },
    pulumi: (stack, args, signal) => run([...args, '--stack', stack], '', signal),
  }
}

/** Copies the project file without its backend and plugins; returns the project's name. */
async function writeProjectFile(folder: string, source: string): Promise<string> {
  const file = 'Pulumi.yaml'
  const { name, runtime, main, config = {} } = parse(await readFile(join(source, file), 'utf8'))
  const own = Object.entries(config).filter(
    ([key]) => !key.includes(':') || key.startsWith(`${name}:`),
  )
  const project = { name, runtime, main: resolve(root, main), config: Object.fromEntries(own) }
  await writeFile(join(folder, file), stringify(project))
  return name
}

function createRun({ path }: PulumiCli, folder: string, env: NodeJS.ProcessEnv) {
  return async (args: readonly string[], input = '', signal?: AbortSignal): Promise<CliOutput> => {
    const flags = ['--non-interactive', '--color', 'never']
    const child = spawn(path, [...args, ...flags], {
      cwd: folder,
      env,
      detached: signal !== undefined,
    })
    // The CLI of npm's package starts the real one: a signal must reach their process group.
    signal?.addEventListener('abort', () => child.pid && process.kill(-child.pid, 'SIGKILL'))
    child.on('error', () => {})
    child.stdin.end(input)
    const ended = once(child, 'close').catch(() => [null])
    const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    return { code, output: `${out}${error}`.trim() }
  }
}

function toOrigins({ storeUrl, apiUrls }: LocalTargets, { CLOUDFLARE_BASE_URL }: Access): string[] {
  return [storeUrl, CLOUDFLARE_BASE_URL, ...Object.values(apiUrls)].map(
    (url) => new URL(url).origin,
  )
}

const KEPT = ['PULUMI_HOME', 'PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION']

// Removes the shell's settings of a real account, state, stack and flags.
function withoutClouds(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = /^(PULUMI|CLOUDFLARE|AWS)_/
  const entries = Object.entries(env).filter(([name]) => !own.test(name) || KEPT.includes(name))
  return Object.fromEntries(entries)
}
