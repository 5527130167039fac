import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { compileCache, root } from '../../lib/paths.ts'
import { UserError } from '../../lib/user-error.ts'
import type { CapturedStack, StackOutputs } from './captured-stack.ts'
import { type Engine, startEngine } from './engine.ts'
import { qualify, readStackConfig, type StackConfig } from './stack-file.ts'
import type { StubContext } from './stub-context.ts'

const runner = createRequire(import.meta.url).resolve('@pulumi/pulumi/cmd/run')

export interface CaptureOptions {
  stack: string
  /** Folder of the stack files. */
  folder?: string
  /** Values over those of the stack file; undefined takes one away. */
  config?: Record<string, string | undefined>
  secrets?: Record<string, string>
  /** Outputs of the stacks that this one refers to. */
  references?: (stack: string) => StackOutputs | Promise<StackOutputs>
  facts?: Partial<StubContext>
  /** Dry run: ids and computed outputs are unknown, as on a stack that does not exist yet. */
  preview?: boolean
}

/**
 * Runs the Pulumi program for one stack, in a process of its own, against an engine that only
 * writes down what is declared. Throws a UserError with the program's own words when it fails.
 */
export async function captureStack(options: CaptureOptions): Promise<CapturedStack> {
  const { stack, preview = false, facts, references = noReferences(stack) } = options
  const file = await readStackConfig(options.folder ?? root, stack)
  const { values, secretKeys } = mergeConfig(file, options)
  const region = values['aws:region'] ?? 'us-east-1'
  const engine = await startEngine({
    project: file.project,
    stack,
    preview,
    facts: { seed: 'recorded', region, ...facts },
    findOutputs: async (name) => references(name),
  })
  try {
    const printed = await runProgram({ file, stack, preview, engine, values, secretKeys })
    const resources = engine.resources.toSorted((a, b) => (a.urn < b.urn ? -1 : 1))
    return { stack, resources, outputs: engine.outputs, said: [...engine.said, ...printed] }
  } finally {
    engine.stop()
  }
}

function mergeConfig(file: StackConfig, { config = {}, secrets = {} }: CaptureOptions) {
  const given = Object.entries({ ...config, ...secrets }).map(
    ([key, value]) => [qualify(file.project, key), value] as const,
  )
  const merged = Object.entries({ ...file.values, ...Object.fromEntries(given) })
  return {
    values: Object.fromEntries(
      merged.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    ),
    secretKeys: Object.keys(secrets).map((key) => qualify(file.project, key)),
  }
}

interface Run {
  file: StackConfig
  stack: string
  preview: boolean
  engine: Engine
  values: Record<string, string>
  secretKeys: string[]
}

async function runProgram({
  file,
  stack,
  preview,
  engine,
  values,
  secretKeys,
}: Run): Promise<string[]> {
  const flags = {
    monitor: engine.address,
    engine: engine.address,
    organization: 'organization',
    project: file.project,
    stack,
    parallel: '64',
  }
  const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value])
  const dryRun = preview ? ['--dry-run'] : []
  const child = spawn(process.execPath, [runner, ...args, ...dryRun, file.program], {
    cwd: fileURLToPath(new URL('.', `file://${file.program}`)),
    env: {
      ...withoutPulumi(process.env),
      PULUMI_CONFIG: JSON.stringify(values),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(secretKeys),
      PULUMI_NODEJS_TYPESCRIPT: 'false',
      NODE_COMPILE_CACHE: compileCache,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [printed, failed, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  if (code !== 0 || engine.errors.length > 0) {
    const reason = engine.errors[0] ?? (failed.trim() || `the program ended with ${code}`)
    throw new UserError(`Stack ${stack}: ${withoutStack(reason)}`)
  }
  return [printed, failed]
}

function withoutStack(reason: string): string {
  const lines = stripVTControlCharacters(reason.replace(/^Running program .*\n/, '')).split('\n')
  const end = lines.findIndex((line) => /^\s+at /.test(line))
  return lines
    .slice(0, end === -1 ? lines.length : end)
    .join('\n')
    .trim()
}

// A user's own PULUMI_… settings are for the CLI: they must not change what is recorded.
function withoutPulumi(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.startsWith('PULUMI_')),
  )
}

function noReferences(stack: string) {
  return (name: string): StackOutputs => {
    throw new UserError(`Stack ${stack} refers to stack ${name}, whose outputs are not known.`)
  }
}
