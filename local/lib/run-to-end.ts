import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

export interface CommandOutput {
  /** Null when the process did not start or was killed. */
  code: number | null
  /** Standard output, then standard error, without surrounding white space. */
  output: string
}

interface Command {
  command: string
  args: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  /** Text for standard input. */
  input?: string
  /** Kills the process and its children by SIGKILL when aborted. */
  signal?: AbortSignal | undefined
}

/** Runs a command and waits for its end; a failure is an exit code, not an exception. */
export async function runToEnd(settings: Command): Promise<CommandOutput> {
  const { command, args, cwd, env, input = '', signal } = settings
  // The command may start other processes; a separate process group can be killed as a whole.
  const child = spawn(command, args, { cwd, env, detached: signal !== undefined })
  signal?.addEventListener('abort', () => child.pid && process.kill(-child.pid, 'SIGKILL'))
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const closed = once(child, 'close').catch(() => [null])
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, output: `${out}${error}`.trim() }
}
