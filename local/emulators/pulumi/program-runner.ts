import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { RunError, runtime } from '@pulumi/pulumi'

/** Message of the parent process that starts one run of a program. */
export interface RunRequest {
  id: number
  /** Absolute path of the program. */
  program: string
  project: string
  stack: string
  preview: boolean
  /** Address of the engine's gRPC services. */
  engine: string
  values: Record<string, string>
  secretKeys: string[]
}

export interface RunResponse {
  id: number
  /** Absent when the program ran to its end. */
  error?: string
}

// The SDK's automation API runs several stacks in one process by the same means.
const require = createRequire(import.meta.url)
const {
  withLocalStorage,
}: {
  withLocalStorage<T>(run: () => Promise<T>): Promise<T>
} = require('@pulumi/pulumi/runtime/state.js')

async function runProgram(request: RunRequest): Promise<void> {
  const { project, stack, engine, preview, values, secretKeys } = request
  // Up to 64 resources are registered at a time; one address serves the resource monitor and the engine.
  runtime.resetOptions(project, stack, 64, engine, engine, preview, 'organization')
  runtime.setAllConfig(values, secretKeys)
  try {
    await runtime.runInPulumiStack(() => evaluate(request))
    await runtime.disconnect(true)
  } catch (error) {
    await runtime.disconnect()
    throw error
  }
}

let lastEvaluation: Promise<unknown> = Promise.resolve()

// A program declares its resources while its module is evaluated, so each run evaluates it again. Evaluations
// run one after another, since the SDK reads the names of secrets from a variable of the process.
function evaluate({ program, id, secretKeys }: RunRequest): Promise<unknown> {
  const module = lastEvaluation.then(() => {
    process.env.PULUMI_CONFIG_SECRET_KEYS = JSON.stringify(secretKeys)
    return import(`${pathToFileURL(program).href}?run=${id}`)
  })
  lastEvaluation = module.catch(() => {})
  return module.then(toOutputs)
}

// Outputs are the default export, or all named exports when there is none, as with the CLI.
function toOutputs(module: Record<string, unknown>): unknown {
  return 'default' in module ? module.default : module
}

function toMessage(error: unknown): string {
  if (RunError.isInstance(error)) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const send = (response: RunResponse) => process.send?.(response)
const running = new Set<number>()

process.on('message', async (request: RunRequest) => {
  running.add(request.id)
  const error = await withLocalStorage(() => runProgram(request)).then(
    () => undefined,
    (reason) => toMessage(reason),
  )
  if (running.delete(request.id)) {
    send(error === undefined ? { id: request.id } : { id: request.id, error })
  }
})

// An unhandled rejection does not show which run it belongs to, so all current runs fail.
process.on('unhandledRejection', (reason) => {
  for (const id of running) send({ id, error: toMessage(reason) })
  running.clear()
})
