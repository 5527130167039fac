import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { compileCache } from '../../lib/paths.ts'
import type { RunRequest, RunResponse } from './program-runner.ts'

/** A process that has loaded the Pulumi SDKs and runs programs, also concurrently. */
export interface Runner {
  /** Runs a program; returns its error message, or undefined when it succeeded. */
  run(request: Omit<RunRequest, 'id'>): Promise<string | undefined>
  stop(): Promise<void>
}

// With these ports, the SDK starts no plugin and needs no credential. Nothing listens on them.
const ATTACHED_PROVIDERS = { PULUMI_DEBUG_PROVIDERS: 'aws:0,cloudflare:0' }

/** Starts a runner in a working directory. It loads the modules that programs import only once. */
export function startRunner(cwd: string): Runner {
  const child = fork(join(import.meta.dirname, 'program-runner.ts'), {
    cwd,
    env: {
      ...withoutPulumiVariables(process.env),
      NODE_COMPILE_CACHE: compileCache,
      ...ATTACHED_PROVIDERS,
    },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let printed = ''
  child.stderr?.on('data', (chunk) => {
    printed += chunk
  })
  const pending = new Map<number, (error: string | undefined) => void>()
  const settle = ({ id, error }: RunResponse) => {
    pending.get(id)?.(error)
    pending.delete(id)
  }
  child.on('message', settle)
  child.on('exit', (code) => {
    const error = printed.trim() || `the program ended with ${code}`
    for (const id of pending.keys()) settle({ id, error })
  })
  let lastId = 0
  return {
    run(request) {
      lastId += 1
      const id = lastId
      return new Promise((resolve) => {
        pending.set(id, resolve)
        // Without the callback, a process that has ended would be an uncaught error.
        child.send({ ...request, id }, (error) => error && settle({ id, error: error.message }))
      })
    },
    stop: () => stopChild(child),
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

// The user's PULUMI_… variables are for the CLI and must not change a capture.
function withoutPulumiVariables(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(variables).filter(([name]) => !name.startsWith('PULUMI_')),
  )
}
