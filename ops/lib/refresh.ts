import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** What Pulumi's own refresh found; `said` is what it printed, secrets masked by itself. */
export type Refresh = { type: 'same' | 'drift' | 'failed'; said: string }

/** Exit code of the CLI when `--expect-no-changes` is broken. */
const CHANGES = 7

/** `pulumi refresh` of a stack that changes nothing, neither state nor cloud. */
export async function previewRefresh(stack: string): Promise<Refresh> {
  const { code, said, errors } = await runPulumi(
    ...['refresh', '--stack', stack, '--preview-only', '--expect-no-changes'],
    ...['--non-interactive', '--color', 'never'],
  )
  const type = code === 0 ? 'same' : code === CHANGES ? 'drift' : 'failed'
  return { type, said: `${said}${errors}` }
}

/** A stack's outputs as JSON, secrets left out; throws when Pulumi or the stack cannot be had. */
export async function readOutputs(stack: string): Promise<unknown> {
  const { code, said, errors } = await runPulumi('stack', 'output', '--json', '--stack', stack)
  if (code !== 0) throw new Error(`The outputs of ${stack} cannot be read: ${errors.trim()}`)
  return JSON.parse(said)
}

async function runPulumi(...args: string[]) {
  const child = spawn('pulumi', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit').catch(() => {
    throw new Error('There is no `pulumi` on PATH: pulumi.com/docs/install tells how to get it.')
  })
  const [[code], said, errors] = await Promise.all([exited, text(child.stdout), text(child.stderr)])
  return { code, said, errors }
}
