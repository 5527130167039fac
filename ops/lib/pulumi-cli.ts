import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, constants, realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, sep } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'

/** A Pulumi CLI that this project can use. */
export interface PulumiCli {
  path: string
  version: string
}

export interface PulumiRun {
  /** Null: killed by a signal. */
  code: number | null
  stdout: string
  stderr: string
}

type Variables = Readonly<Record<string, string | undefined>>

// Since 3.226 an exit code of its own (7) tells drift from a failed check.
const OLDEST = { major: 3, minor: 226 }
const EXECUTABLE = process.platform === 'win32' ? 'pulumi.exe' : 'pulumi'

/**
 * The first `pulumi` on PATH outside `node_modules` whose version fits, else the one of the npm
 * package `pulumi`, which downloads the CLI when it runs for the first time.
 * @throws Error that says what was found and how to install a CLI
 */
export async function findPulumiCli(
  env: Variables = process.env,
  packaged: string = toPackagePath(),
): Promise<PulumiCli> {
  const tried: string[] = []
  for (const path of [...(await listOnPath(env)), packaged]) {
    const result = await readVersion(path, env)
    if ('version' in result && fits(result.version)) return { path, version: result.version }
    tried.push(`  ${path}: ${'version' in result ? `version ${result.version}` : result.reason}`)
  }
  throw new Error(
    [
      `No Pulumi CLI of version ${OLDEST.major}.${OLDEST.minor} or later (${OLDEST.major}.x) is installed.`,
      'Install one as pulumi.com/docs/install describes and put it on PATH. Tried:',
      ...tried,
    ].join('\n'),
  )
}

/** One line that names the CLI in use. */
export function describeCli({ path, version }: PulumiCli): string {
  return `Using Pulumi ${version} (${path}).`
}

/** Runs the CLI to its end, without a terminal. */
export async function runPulumi(
  { path }: PulumiCli,
  args: readonly string[],
  env: Variables = process.env,
): Promise<PulumiRun> {
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  const exited = once(child, 'exit')
  const [[code], stdout, stderr] = await Promise.all([
    exited,
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, stdout, stderr }
}

async function listOnPath({ PATH = '' }: Variables): Promise<string[]> {
  const files = PATH.split(delimiter).map((folder) => join(folder, EXECUTABLE))
  const found = await Promise.all(files.map(async (file) => (await isUsable(file)) && file))
  return [...new Set(found.filter((file) => file !== false))]
}

// `npm run` and `npx` put the wrapper of the npm package first on PATH.
async function isUsable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    const folders = [dirname(file), dirname(await realpath(file))]
    return !folders.some((folder) => folder.split(sep).includes('node_modules'))
  } catch {
    return false
  }
}

async function readVersion(
  path: string,
  env: Variables,
): Promise<{ version: string } | { reason: string }> {
  try {
    const { stdout } = await promisify(execFile)(path, ['version'], { env, timeout: 120_000 })
    const [version] = /\d+\.\d+\.\d+\S*/.exec(stdout) ?? []
    return version ? { version } : { reason: 'prints no version' }
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
    return { reason: stderr.trim().split('\n').at(-1) || String(error) }
  }
}

function fits(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major === OLDEST.major && minor >= OLDEST.minor
}

function toPackagePath(): string {
  const { resolve } = createRequire(import.meta.url)
  return join(dirname(resolve('pulumi/package.json')), 'run.js')
}
