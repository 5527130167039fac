import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parse, stringify } from 'yaml'
import type { PulumiCli } from '../../ops/lib/pulumi-cli.ts'
import { type LocalTargets, overrideForLocal } from '../deploy/stack-overrides.ts'
import { derive } from '../emulators/pulumi/stub-context.ts'
import { root } from '../lib/paths.ts'
import { type CommandOutput, runToEnd } from '../lib/run-to-end.ts'
import { UserError } from '../lib/user-error.ts'
import { requireOwnUrls, toStackConfig } from './stack-config.ts'

/** Copies of the project's Pulumi files, with a separate state; the project's files do not change. */
export interface Workspace {
  folder: string
  env: NodeJS.ProcessEnv
  /**
   * Creates a stack with the project's settings, overrides for local resources, and new secrets.
   *
   * @throws UserError when the settings contain the URL of another service, or the CLI fails
   */
  init(stack: string): Promise<void>
  /** Runs the CLI on a stack; an aborted run is killed by SIGKILL. */
  pulumi(stack: string, args: readonly string[], signal?: AbortSignal): Promise<CommandOutput>
}

interface WorkspaceSettings {
  folder: string
  cli: PulumiCli
  targets: LocalTargets
  /** Variables that direct the CLI to the emulators. */
  access: Access
}

interface Access {
  CLOUDFLARE_BASE_URL: string
  CLOUDFLARE_API_TOKEN: string
  PULUMI_DEBUG_PROVIDERS: string
}

/** Writes the project file, and prepares an empty state. */
export async function openWorkspace({
  folder,
  cli,
  targets,
  access,
}: WorkspaceSettings): Promise<Workspace> {
  const state = join(folder, 'state')
  await mkdir(state, { recursive: true })
  const project = await writeProjectFile(folder, targets.folder)
  const env = {
    ...withoutCloudVariables(process.env),
    ...access,
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_CONFIG_PASSPHRASE: derive(targets.seed, 'passphrase'),
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    AWS_EC2_METADATA_DISABLED: 'true',
  }
  const run = (args: readonly string[], input = '', signal?: AbortSignal) => {
    const flags = ['--non-interactive', '--color', 'never']
    return runToEnd({
      command: cli.path,
      args: [...args, ...flags],
      cwd: folder,
      env,
      input,
      signal,
    })
  }
  const runOrThrow = async (args: readonly string[], input?: string) => {
    const { code, output } = await run(args, input)
    if (code !== 0) throw new UserError(`pulumi ${args.join(' ')} failed:\n${output}`)
  }
  return {
    folder,
    env,
    async init(stack) {
      const { config: overrides = {}, secrets = {} } = await overrideForLocal(stack, targets)
      const file = `Pulumi.${stack}.yaml`
      const { config } = parse(await readFile(join(targets.folder, file), 'utf8'))
      const providers = { 'cloudflare:baseUrl': access.CLOUDFLARE_BASE_URL }
      const rehearsed = toStackConfig({ project, config, overrides, providers })
      requireOwnUrls(rehearsed, toOrigins(targets, access))
      await writeFile(join(folder, file), stringify({ config: rehearsed }))
      await runOrThrow(['stack', 'init', stack])
      for (const [key, value] of Object.entries(secrets)) {
        await runOrThrow(['config', 'set', '--secret', key, '--stack', stack], value)
      }
    },
    pulumi: (stack, args, signal) => run([...args, '--stack', stack], '', signal),
  }
}

/** Copies the project file without its backend and plugins; returns the project's name. */
async function writeProjectFile(folder: string, source: string): Promise<string> {
  const file = 'Pulumi.yaml'
  const { name, runtime, main, config = {} } = parse(await readFile(join(source, file), 'utf8'))
  const projectConfig = Object.entries(config).filter(
    ([key]) => !key.includes(':') || key.startsWith(`${name}:`),
  )
  const project = {
    name,
    runtime,
    main: resolve(root, main),
    config: Object.fromEntries(projectConfig),
  }
  await writeFile(join(folder, file), stringify(project))
  return name
}

function toOrigins({ storeUrl, apiUrls }: LocalTargets, { CLOUDFLARE_BASE_URL }: Access): string[] {
  return [storeUrl, CLOUDFLARE_BASE_URL, ...Object.values(apiUrls)].map(
    (url) => new URL(url).origin,
  )
}

const KEPT_VARIABLES = ['PULUMI_HOME', 'PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION']

// Removes the shell's variables for a real account, state, stack and flags.
function withoutCloudVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const cloudVariable = /^(PULUMI|CLOUDFLARE|AWS)_/
  const entries = Object.entries(env).filter(
    ([name]) => !cloudVariable.test(name) || KEPT_VARIABLES.includes(name),
  )
  return Object.fromEntries(entries)
}
