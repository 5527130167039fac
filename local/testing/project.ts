import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  cp,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { type RequestOptions, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { parseEnv, promisify } from 'node:util'
import { root } from '../lib/paths.ts'
import { findFreePort } from '../lib/ports.ts'

const ROOMS = [
  'infra',
  'workers',
  'api',
  'http',
  'contract',
  'prisma',
  'themes',
  'demo',
  'local',
  'ops',
]
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'Pulumi.yaml']
const STACKS = ['site-stage', 'site-stage-mk2', 'site-prod', 'media-stage', 'media-prod']

export interface Project {
  folder: string
  /** Replaces a text in a file. Throws when the file does not contain it. */
  edit(file: string, from: string, to: string): Promise<void>
  remove(): Promise<void>
}

/** A copy of this project that a test may change; packages are shared. */
export async function copyProject(): Promise<Project> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'cms-edge-project-')))
  // PostgreSQL's own user must be able to enter it.
  await chmod(folder, 0o755)
  const stackFiles = STACKS.map((stack) => `Pulumi.${stack}.yaml`)
  await Promise.all(
    [...ROOMS, ...FILES, ...stackFiles].map((name) =>
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
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

export interface RunningCloud {
  port: number
  /** Everything that it has printed so far. */
  readonly output: string
  /** Milliseconds from the command until it was ready, read from its output. */
  readyIn: number
  /** Variables of its `env` file. */
  env: Record<string, string | undefined>
  get(host: string, path: string): Promise<EdgeResponse>
  /** Purges a host, or one path of it, with the secret of the stack whose site worker answers there. */
  purge(host: string, stack: string, path?: string): Promise<EdgeResponse>
  /** Sends a signal, by default that of Ctrl-C; returns the exit code. */
  interrupt(signal?: NodeJS.Signals): Promise<number | null>
}

interface EdgeResponse {
  status: number
  headers: Headers
  body: Buffer
}

/** Runs `npm start` in a project until it prints that it is ready. */
export async function startProject(
  { folder }: Pick<Project, 'folder'>,
  args: readonly string[] = [],
): Promise<RunningCloud> {
  const port = await findFreePort()
  const data = join(folder, '.local')
  const child = run(folder, ['--port', String(port), '--data', data, ...args])
  const printed = await whenReady(child)
  const env = parseEnv(await readFile(join(dataOf(args) ?? data, 'env'), 'utf8'))
  return {
    port,
    get output() {
      return printed.text
    },
    readyIn: Number(/Ready in (\d+) ms/.exec(printed.text)?.[1]),
    env,
    get: (host, path) => send(port, { headers: { host }, path }),
    purge: (host, stack, path) => {
      const authorization = `Bearer ${env[`${stack}_ADMIN_PURGE_SECRET`]}`
      const headers = { host, authorization, 'content-type': 'application/json' }
      const body = JSON.stringify({ host, ...(path ? { url: path } : { site: true }) })
      return send(port, { method: 'POST', path: '/__cms/purge', headers }, body)
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

/** Runs an `npm start` that fails; returns its exit code and its output on stderr. */
export async function failToStart(
  { folder }: Project,
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
): Promise<{ code: number; output: string }> {
  const child = run(folder, args, more)
  const [[code], output] = await Promise.all([once(child, 'exit'), text(child.stderr)])
  return { code, output: output.trim() }
}

/** Command lines of processes that mention a text. */
export async function listProcesses(mention: string): Promise<string[]> {
  const lines = process.platform === 'linux' ? await readProc() : await readPs()
  return lines.filter((line) => line.includes(mention))
}

async function readProc(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
}

async function readPs(): Promise<string[]> {
  return (await promisify(execFile)('ps', ['-eo', 'args'])).stdout.split('\n')
}

type Child = ChildProcessByStdio<null, Readable, Readable>

function run(folder: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Child {
  const flags = ['--disable-warning=ExperimentalWarning', join(folder, 'local/npm-start.js')]
  const { DATABASE_URL: _, ...env } = process.env
  return spawn(process.execPath, [...flags, ...args], {
    cwd: folder,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

// Keeps reading the output after that: a write to a closed pipe would end the process.
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
  throw new Error(`it did not start: ${printed.text}${await errors}`)
}

function dataOf(args: readonly string[]): string | undefined {
  const index = args.indexOf('--data')
  return index === -1 ? undefined : args[index + 1]
}

function send(port: number, options: RequestOptions, body?: string): Promise<EdgeResponse> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, ...options }, async (response) => {
      const chunks: Uint8Array[] = await response.toArray()
      const headers = new Headers(response.headers as Record<string, string>)
      resolve({ status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks) })
    })
      .on('error', reject)
      .end(body)
  })
}
