import { execFile } from 'node:child_process'
import { access, constants, realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, sep } from 'node:path'

/** A Pulumi CLI that this project can use. */
export interface PulumiCli {
  path: string
  /** Without the leading `v`. */
  version: string
}

export interface CliResult {
  /** `null`: the program did not start, or was killed. */
  code: number | null
  out: string
  error: string
}

type Variables = Readonly<Record<string, string | undefined>>

// Since 3.226, `--expect-no-changes` exits with 7 when there are changes, and with another code when it fails.
const OLDEST = { major: 3, minor: 226 }
const EXECUTABLE = process.platform === 'win32' ? 'pulumi.exe' : 'pulumi'
const VERSION_TIMEOUT_MS = 120_000

/**
 * Finds the Pulumi CLI for the operator's commands: the first suitable version on PATH outside of
 * `node_modules`, or else the npm wrapper in `node_modules`, which downloads the CLI at its first call.
 * @throws Error with the versions found, and how to install a CLI
 */
export async function requirePulumi(
  env: Variables = process.env,
  wrapper: string = locateWrapper(),
): Promise<PulumiCli> {
  const tried: string[] = []
  for (const path of [...(await listOnPath(env)), wrapper]) {
    const { out, error } = await runCli(path, ['version'], env, VERSION_TIMEOUT_MS)
    const [, version] = /^v?(\d+\.\d+\.\d+)/.exec(out) ?? []
    if (version && isSupported(version)) return { path, version }
    const reason = version ? `version ${version}` : error.trim().split('\n').at(-1) || 'no version'
    tried.push(`  ${path}: ${reason}`)
  }
  throw new Error(
    [
      `No Pulumi CLI of version ${OLDEST.major}.${OLDEST.minor} or later (${OLDEST.major}.x) is installed.`,
      'Install one as pulumi.com/docs/install describes and put it on PATH. Tried:',
      ...tried,
    ].join('\n'),
  )
}

/** Like requirePulumi, but returns undefined when there is no suitable CLI. */
export async function findPulumi(env: Variables): Promise<PulumiCli | undefined> {
  return requirePulumi(env).catch(() => undefined)
}

/** Returns one line with version and path of the CLI. */
export function describeCli({ path, version }: PulumiCli): string {
  return `Using Pulumi ${version} (${path}).`
}

/** Runs a CLI until it exits, or until `timeoutMs` has passed; 0 means no timeout. */
export function runCli(
  path: string,
  args: readonly string[],
  env: Variables = process.env,
  timeoutMs = 0,
): Promise<CliResult> {
  const options = { env, timeout: timeoutMs, maxBuffer: 64 * 1024 ** 2 }
  return new Promise((resolve) => {
    execFile(path, [...args], options, (error, out, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null
      resolve({ code, out, error: stderr })
    })
  })
}

async function listOnPath({ PATH = '' }: Variables): Promise<string[]> {
  const folders = PATH.split(delimiter).filter((folder) => folder !== '')
  const files = folders.map((folder) => join(folder, EXECUTABLE))
  const isUsable = await Promise.all(files.map(isOutsideModules))
  return [...new Set(files.filter((_, index) => isUsable[index]))]
}

/** Whether the file is an executable outside of `node_modules`, and not a link to one inside. */
async function isOutsideModules(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    const paths = [file, await realpath(file)]
    return !paths.some((path) => path.split(sep).includes('node_modules'))
  } catch {
    return false
  }
}

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major === OLDEST.major && minor >= OLDEST.minor
}

function locateWrapper(): string {
  const { resolve } = createRequire(import.meta.url)
  return join(dirname(resolve('pulumi/package.json')), 'run.js')
}
