import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'

export interface SupervisedProcess {
  stdout: Readable
  stderr: Readable
  /** Resolves with the exit code when the process ends; null when the shell around it was killed. */
  exited: Promise<number | null>
  stop(): Promise<void>
}

interface SupervisedCommand {
  command: string
  args: readonly string[]
  cwd?: string
  env?: NodeJS.ProcessEnv
  user?: { uid: number; gid: number } | undefined
  /** Signal that `stop` sends to the process; by default TERM. */
  signal?: 'INT' | 'TERM' | 'KILL'
}

// Runs the command, and stops it when standard input closes, which also happens when the parent process is
// killed. Descriptor 3 is that input: the command does not get it, and a background job waits for its end.
const WRAPPER = `
signal=$1; shift
exec 3<&0
"$@" 3<&- & child=$!
{ read -r _ <&3; kill -"$signal" $child; } 2>/dev/null & watcher=$!
wait $child; status=$?
kill -9 $watcher 2>/dev/null
exit $status`

/** Starts a child process that ends when this process ends, even by SIGKILL. */
export function spawnSupervised({
  command,
  args,
  cwd,
  env,
  user,
  signal = 'TERM',
}: SupervisedCommand): SupervisedProcess {
  const child = spawn('/bin/sh', ['-c', WRAPPER, 'supervise', signal, command, ...args], {
    cwd,
    env,
    ...user,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {})
  const exited = whenExited(child)
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    async stop() {
      child.stdin.end()
      await exited
    },
  }
}

async function whenExited(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, 'exit')
  return typeof code === 'number' ? code : null
}
