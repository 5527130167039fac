import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** Runs GitHub's CLI: what it printed. Throws with its own words when it fails. */
export async function gh(args: readonly string[], input = ''): Promise<string> {
  const child = spawn('gh', args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  // Who ends without reading breaks the pipe: the exit code tells more.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [said, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (code === 0) return said
  throw new Error(`gh ${args.slice(0, 2).join(' ')} failed: ${errors.trim()}`)
}
