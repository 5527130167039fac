import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/**
 * Runs GitHub's CLI and returns its output.
 * @throws Error with its stderr when it fails
 */
export async function gh(args: readonly string[], input = ''): Promise<string> {
  const child = spawn('gh', args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  // A child that exits without reading its input breaks the pipe; its exit code is reported below.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (code === 0) return output
  throw new Error(`gh ${args.slice(0, 2).join(' ')} failed: ${errors.trim()}`)
}
