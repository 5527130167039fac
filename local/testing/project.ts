import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { parseEnv, promisify } from 'node:util'
import { type LocalRequest, requestLocal } from '../lib/local-request.ts'
import { root, SOURCE_FOLDERS } from '../lib/paths.ts'
import { findFreePort } from '../lib/ports.ts'
import { createTemporaryFolder } from '../lib/temporary-folder.ts'

const FOLDERS = [...SOURCE_FOLDERS, 'local', 'ops']
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'Pulumi.yaml']
const STACKS = ['site-stage', 'site-stage-mk2', 'site-prod', 'media-stage', 'media-prod']

export interface Project {
  folder: string
  /**
   * Replaces a text in a file.
   *
   * @throws Error when the file does not contain the text
   */
  edit(file: string, from: string, to: string): Promise<void>
  remove(): Promise<void>
}

/** Copies this project for tests that change files; the copy shares the packages. */
export async function copyProject(): Promise<Project> {
  const folder = await createTemporaryFolder('project')
  const stackFiles = STACKS.map((stack) => `Pulumi.${stack}.yaml`)
  await Promise.all(
    [...FOLDERS, ...FILES, ...stackFiles].map((name) =>
      cp(join(root, name), join(folder, name), { recursive: true }),
    ),
  )
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return {
    folder,
    async edit(file, from, to) {
      const content = await readFile(join(folder, file), 'utf8')
      if (!content.includes(from)) throw new Error(`${file} does not contain ${from}`)
      await writeFile(join(folder, file), content.replace(from, to))
    },
    // PostgreSQL of a cloud that was killed may still write its last files.
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  }
}

export interface RunningCloud {
  port: number
  /** Everything that it has printed so far. */
  readonly output: string
  /** Milliseconds from the command until all services were ready, read from the output. */
  readyIn: number
  /** Variables of the `env` file in the data folder. */
  env: Record<string, string | undefined>
  get(host: string, path: string): Promise<EdgeResponse>
  /** Purges a host, or one of its paths; `prefix` is that of its variables in `env`, such as `SITE_STAGE`. */
  purge(host: string, prefix: string, path?: string): Promise<EdgeResponse>
  /** Sends a signal, by default SIGINT; returns the exit code, or null when the signal killed the process. */
  interrupt(signal?: NodeJS.Signals): Promise<number | null>
}

interface EdgeResponse {
  status: number
  headers: Headers
  body: Buffer
}

/** Runs `npm start` in a project; resolves when it is ready. */
export async function startProject(
  { folder }: Pick<Project, 'folder'>,
  args: readonly string[] = [],
): Promise<RunningCloud> {
  const port = await findFreePort()
  const data = join(folder, '.local')
  const child = spawnStart(folder, ['--port', String(port), '--data', data, ...args])
  const printed = await whenReady(child)
  const env = parseEnv(await readFile(join(findDataFolder(args) ?? data, 'env'), 'utf8'))
  return {
    port,
    get output() {
      return printed.text
    },
    readyIn: Number(/Ready in (\d+) ms/.exec(printed.text)?.[1]),
    env,
    get: (host, path) => request(`http://${host}:${port}${path}`),
    purge: (host, prefix, path) => {
      const authorization = `Bearer ${env[`${prefix}_ADMIN_PURGE_SECRET`]}`
      const headers = { authorization, 'content-type': 'application/json' }
      const body = JSON.stringify({ host, ...(path ? { url: path } : { site: true }) })
      return request(`http://${host}:${port}/__cms/purge`, { method: 'POST', headers, body })
    },
    async interrupt(signal = 'SIGINT') {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal)
        await once(child, 'exit')
      }
      return child.exitCode
    },
  }
}

/** Runs an `npm start` that fails; returns its exit code and its standard error. */
export async function failToStart(
  { folder }: Project,
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<{ code: number; output: string }> {
  const child = spawnStart(folder, args, variables)
  const [[code], output] = await Promise.all([once(child, 'exit'), text(child.stderr)])
  return { code, output: output.trim() }
}

/** Returns the command lines of running processes that contain a text. */
export async function listProcesses(searched: string): Promise<string[]> {
  const lines = process.platform === 'linux' ? await readProc() : await readPs()
  return lines.filter((line) => line.includes(searched))
}

async function readProc(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
}

async function readPs(): Promise<string[]> {
  return (await promisify(execFile)('ps', ['-eo', 'args'])).stdout.split('\n')
}

type Child = ChildProcessByStdio<null, Readable, Readable>

function spawnStart(
  folder: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Child {
  const flags = ['--disable-warning=ExperimentalWarning', join(folder, 'local/npm-start.js')]
  const { DATABASE_URL: _, ...env } = process.env
  return spawn(process.execPath, [...flags, ...args], {
    cwd: folder,
    env: { ...env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

// Reads the output until the process ends: a write to a closed pipe would end it earlier.
async function whenReady(child: Child): Promise<{ readonly text: string }> {
  const printed = { text: '' }
  const errors = text(child.stderr)
  const ready = new Promise<boolean>((resolve) => {
    child.stdout.on('data', (chunk) => {
      printed.text += chunk
      if (printed.text.includes('Ready in')) resolve(true)
    })
    child.on('exit', () => resolve(false))
  })
  if (await ready) return printed
  throw new Error(`npm start failed: ${printed.text}${await errors}`)
}

function findDataFolder(args: readonly string[]): string | undefined {
  const index = args.indexOf('--data')
  return index === -1 ? undefined : args[index + 1]
}

async function request(url: string, options: LocalRequest = {}): Promise<EdgeResponse> {
  const { status, headers, body } = await requestLocal(url, options)
  return { status, headers: new Headers(headers as Record<string, string>), body }
}
