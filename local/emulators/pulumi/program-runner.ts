import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { RunError, runtime } from '@pulumi/pulumi'

/** One run of a program, as the parent process asks for it. */
export interface RunRequest {
  id: number
  /** The program, absolute. */
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

// The SDK's automation API uses the same store to run several stacks in one process.
const require = createRequire(import.meta.url)
const {
  withLocalStorage,
}: {
  withLocalStorage<T>(run: () => Promise<T>): Promise<T>
} = require('@pulumi/pulumi/runtime/state.js')

async function runProgram(request: RunRequest): Promise<void> {
  const { project, stack, engine, preview, values, secretKeys } = request
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

let turn: Promise<unknown> = Promise.resolve()

// A program declares its stack while it is evaluated, so it is evaluated once for each run, and no two at a time: the
// CLI hands it the names of its secrets in this variable.
function evaluate({ program, id, secretKeys }: RunRequest): Promise<unknown> {
  const module = turn.then(() => {
    process.env.PULUMI_CONFIG_SECRET_KEYS = JSON.stringify(secretKeys)
    return import(`${pathToFileURL(program).href}?run=${id}`)
  })
  turn = module.catch(() => {})
  return module.then(toOutputs)
}

// As the CLI does: the default export where there is one, else all named exports.
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

// A rejection that nothing awaits names no stack: every run that it can belong to fails.
process.on('unhandledRejection', (reason) => {
  for (const id of running) send({ id, error: toMessage(reason) })
  running.clear()
})
