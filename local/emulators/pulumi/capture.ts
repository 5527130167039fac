import { dirname } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../../lib/paths.ts'
import { UserError } from '../../lib/user-error.ts'
import type { CapturedStack, StackOutputs } from './captured-stack.ts'
import { startEngine } from './engine.ts'
import { type Runner, startRunner } from './runner.ts'
import { qualify, readStackConfig, type StackConfig } from './stack-file.ts'
import type { StubContext } from './stub-context.ts'

export interface CaptureOptions {
  stack: string
  /** Folder of the stack files. */
  folder?: string
  /** Values that override those of the stack file; undefined removes a value. */
  config?: Record<string, string | undefined>
  secrets?: Record<string, string>
  /** Returns the outputs of a stack that this one refers to. */
  findOutputs?: (stack: string) => StackOutputs | Promise<StackOutputs>
  stubContext?: Partial<StubContext>
  /** Dry run: ids and computed outputs are unknown, as on a stack that does not exist yet. */
  preview?: boolean
  /** Process that runs the program; by default a new one, stopped afterwards. */
  runner?: Runner
}

/**
 * Runs the Pulumi program for one stack in another process, with an engine that only collects the declared
 * resources.
 *
 * @throws UserError with the first error of the program or of the engine
 */
export async function captureStack(options: CaptureOptions): Promise<CapturedStack> {
  const { stack, preview = false, stubContext, findOutputs = rejectReferences(stack) } = options
  const file = await readStackConfig(options.folder ?? root, stack)
  const { values, secretKeys } = mergeConfig(file, options)
  const region = values['aws:region'] ?? 'us-east-1'
  const runner = options.runner ?? startRunner(dirname(file.program))
  const engine = await startEngine({
    project: file.project,
    stack,
    preview,
    stubContext: { seed: 'recorded', region, ...stubContext },
    findOutputs: async (name) => findOutputs(name),
  })
  try {
    const { project, program } = file
    const request = { program, project, stack, preview, engine: engine.address, values, secretKeys }
    const error = await runner.run(request)
    const reason = engine.errors[0] ?? error
    if (reason !== undefined) throw new UserError(`Stack ${stack}: ${withoutStackTrace(reason)}`)
    const resources = engine.resources.toSorted((a, b) => (a.urn < b.urn ? -1 : 1))
    return { stack, resources, outputs: engine.outputs, messages: engine.messages }
  } finally {
    engine.stop()
    if (!options.runner) await runner.stop()
  }
}

function mergeConfig(file: StackConfig, { config = {}, secrets = {} }: CaptureOptions) {
  const overrides = Object.entries({ ...config, ...secrets }).map(
    ([key, value]) => [qualify(file.project, key), value] as const,
  )
  const merged = Object.entries({ ...file.values, ...Object.fromEntries(overrides) })
  return {
    values: Object.fromEntries(
      merged.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    ),
    secretKeys: Object.keys(secrets).map((key) => qualify(file.project, key)),
  }
}

/** Returns the lines of an error before its stack trace. */
function withoutStackTrace(reason: string): string {
  const lines = stripVTControlCharacters(reason).split('\n')
  const end = lines.findIndex((line) => /^\s+at /.test(line))
  return lines
    .slice(0, end === -1 ? lines.length : end)
    .join('\n')
    .trim()
}

function rejectReferences(stack: string) {
  return (name: string): StackOutputs => {
    throw new UserError(`Stack ${stack} refers to stack ${name}, whose outputs are not known.`)
  }
}
