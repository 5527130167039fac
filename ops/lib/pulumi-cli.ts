import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join, sep } from 'node:path'

/** Exit codes tell «changes» from other failures since this version. */
const OLDEST = [3, 226] as const
const WRAPPER = join('node_modules', '.bin', 'pulumi')

export interface PulumiCli {
  path: string
  /** Without the leading `v`. */
  version: string
}

export interface Ran {
  /** `null`: it did not start, or was stopped. */
  code: number | null
  out: string
  error: string
}

/**
 * The Pulumi CLI that the operator's commands use: one on PATH outside `node_modules` whose version fits, because npm
 * puts its wrapper first; else that wrapper, which downloads the CLI at its first call. Undefined when neither runs.
 */
export async function findPulumi(env: NodeJS.ProcessEnv): Promise<PulumiCli | undefined> {
  for (const path of await listCandidates(env)) {
    const version = /^v?(\d+\.\d+\.\d+)/.exec((await runCli(path, ['version'], env)).out)?.[1]
    if (version && fits(version)) return { path, version }
  }
  return undefined
}

/** Runs a CLI to its end. */
export function runCli(
  path: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Ran> {
  const options = { env, timeout: 120_000, maxBuffer: 64 * 1024 ** 2 }
  return new Promise((resolve) => {
    execFile(path, [...args], options, (error, out, said) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null
      resolve({ code, out, error: said })
    })
  })
}

async function listCandidates({ PATH = '' }: NodeJS.ProcessEnv): Promise<string[]> {
  const folders = PATH.split(delimiter).filter(
    (folder) => folder !== '' && !folder.split(sep).includes('node_modules'),
  )
  const candidates = [...folders.map((folder) => join(folder, 'pulumi')), WRAPPER]
  const found = await Promise.all(
    candidates.map((path) =>
      access(path, constants.X_OK)
        .then(() => [path])
        .catch(() => []),
    ),
  )
  return found.flat()
}

function fits(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major === OLDEST[0] && minor >= OLDEST[1]
}
