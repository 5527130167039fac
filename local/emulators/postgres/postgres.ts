import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { findFreePort } from '../../lib/ports.ts'
import { type SupervisedProcess, spawnSupervised } from '../../lib/spawn-supervised.ts'
import { UserError } from '../../lib/user-error.ts'
import { type DatabaseHome, findDatabaseHome } from './locate-postgres.ts'

const run = promisify(execFile)

/** A PostgreSQL server. */
export interface Database {
  /** URL of a database on it: its owner's, or that of another role. */
  url(database: string, role?: { name: string; password: string }): string
}

export interface EmbeddedDatabase extends Database {
  /** Data directory: another than requested when that is in root's home directory. */
  dataDir: string
  exited: Promise<number | null>
  stop(): Promise<void>
}

interface PostgresSettings {
  dataDir: string
  /** 0 or absent: any free one. */
  port?: number
  password: string
  /** Trades safety at power loss for speed. For tests only. */
  throwaway?: boolean
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Passwords are random here: stretching them would protect nothing.
  scram_iterations: '1',
}
const THROWAWAY = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }

/**
 * Starts the PostgreSQL of the npm package, on loopback, with a password for its owner.
 * The first start makes the cluster; each later one starts it directly.
 */
export async function startPostgres(options: PostgresSettings): Promise<EmbeddedDatabase> {
  const home = await findDatabaseHome(options.dataDir)
  if (!(await exists(join(home.data, 'PG_VERSION')))) await initialise(home, options)
  const port = options.port || (await findFreePort())
  const server = spawnServer(home, port, options.throwaway ?? false)
  await whenReady(server, home)
  const { exited, stop } = server
  return { ...toEmbedded(port, options.password), dataDir: home.data, exited, stop }
}

/** Returns the address of an embedded PostgreSQL, which need not run yet. */
export function toEmbedded(port: number, password: string): Database {
  return toDatabase(`postgresql://postgres:${password}@127.0.0.1:${port}/postgres`)
}

/** Returns the address of a server that is already running, from its owner's URL. */
export function toDatabase(address: string): Database {
  return {
    url(database, role) {
      const url = new URL(address)
      url.pathname = `/${database}`
      if (role) Object.assign(url, { username: role.name, password: role.password })
      return url.href
    },
  }
}

async function initialise(
  { binaries, data, user }: DatabaseHome,
  options: PostgresSettings,
): Promise<void> {
  const args = ['-D', data, '-U', 'postgres', '--auth=scram-sha-256', '--pwfile=/dev/stdin']
  const locale = [
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  const others = ['-c', 'scram_iterations=1', ...(options.throwaway ? ['--no-sync'] : [])]
  const command = [join(binaries, 'initdb'), ...args, ...locale, ...others]
  // initdb opens the password file by name, which a pipe of the shell allows and a socket of ours does not.
  const initdb = run('/bin/sh', ['-c', 'cat | "$@"', 'initdb', ...command], { ...user, cwd: '/' })
  initdb.child.stdin?.end(`${options.password}\n`)
  await initdb.catch((error: Error) => {
    throw new UserError(
      `PostgreSQL could not make its files in ${data}: ${lastLine(error.message)}`,
    )
  })
}

function spawnServer({ binaries, data, user }: DatabaseHome, port: number, throwaway: boolean) {
  const settings = { ...SETTINGS, ...(throwaway ? THROWAWAY : {}) }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawnSupervised({
    command: join(binaries, 'postgres'),
    args: ['-D', data, '-p', String(port), ...flags],
    cwd: '/',
    user,
    signal: 'INT',
  })
}

async function whenReady(server: SupervisedProcess, { data }: DatabaseHome): Promise<void> {
  server.stdout.resume()
  const lines: string[] = []
  for await (const line of createInterface(server.stderr)) {
    if (line.includes('ready to accept connections')) {
      server.stderr.resume()
      return
    }
    lines.push(line)
  }
  const reason = lines.find((line) => line.includes('FATAL')) ?? lines.at(-1) ?? 'no output'
  if (reason.includes('postmaster.pid')) {
    throw new UserError(
      `The folder ${data} is in use by another start: end that one, or name another with --data.`,
    )
  }
  throw new UserError(`PostgreSQL did not start on ${data}: ${reason.replace(/^.*FATAL:\s*/, '')}`)
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}
