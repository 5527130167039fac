import { access } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { findDatabaseHome, type DatabaseHome } from './database-home.ts'
import { Fault } from './fault.ts'
import { type Guarded, spawnGuarded } from './guard.ts'

const run = promisify(execFile)

export interface Database {
  port: number
  /** The owner's URL of a database on this server. */
  url(database: string): string
  stop(): Promise<void>
}

export interface EmbeddedDatabase extends Database {
  /** Where the data lies: elsewhere than asked for when root's home is in the way. */
  dataDir: string
}

interface Options {
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
}
const THROWAWAY = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }

/**
 * Starts the PostgreSQL that npm brought along, on loopback, with a password for its owner.
 * The first start makes the cluster; each later one starts it directly.
 */
export async function startPostgres(options: Options): Promise<EmbeddedDatabase> {
  const home = await findDatabaseHome(options.dataDir)
  if (!(await exists(join(home.data, 'PG_VERSION')))) await initialise(home, options)
  const port = options.port || (await findFreePort())
  const server = spawnServer(home, port, options.throwaway ?? false)
  await whenReady(server, home)
  return {
    port,
    url: (database) => `postgresql://postgres:${options.password}@127.0.0.1:${port}/${database}`,
    dataDir: home.data,
    stop: server.stop,
  }
}

/** The same view on a server that runs elsewhere: `DATABASE_URL` names it and its owner. */
export function useDatabaseUrl(address: string): Database {
  const server = new URL(address)
  return {
    port: Number(server.port || 5432),
    url: (database) => new URL(`/${database}${server.search}`, server).href,
    stop: async () => {},
  }
}

async function initialise({ binaries, data, user }: DatabaseHome, options: Options): Promise<void> {
  const args = ['-D', data, '-U', 'postgres', '--auth=scram-sha-256', '--pwfile=/dev/stdin']
  const locale = [
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  const sync = options.throwaway ? ['--no-sync'] : []
  const command = [join(binaries, 'initdb'), ...args, ...locale, ...sync]
  // initdb opens the password file by name, which a pipe of the shell allows and a socket of ours does not.
  const initdb = run('/bin/sh', ['-c', 'cat | "$@"', 'initdb', ...command], { ...user, cwd: '/' })
  initdb.child.stdin?.end(`${options.password}\n`)
  await initdb.catch((error: Error) => {
    throw new Fault(`PostgreSQL could not make its files in ${data}: ${lastLine(error.message)}`)
  })
}

function spawnServer({ binaries, data, user }: DatabaseHome, port: number, throwaway: boolean) {
  const settings = { ...SETTINGS, ...(throwaway ? THROWAWAY : {}) }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawnGuarded({
    command: join(binaries, 'postgres'),
    args: ['-D', data, '-p', String(port), ...flags],
    cwd: '/',
    user,
    signal: 'INT',
  })
}

async function whenReady(server: Guarded, { data }: DatabaseHome): Promise<void> {
  server.stdout.resume()
  const lines: string[] = []
  for await (const line of createInterface(server.stderr)) {
    if (line.includes('ready to accept connections')) {
      server.stderr.resume()
      return
    }
    lines.push(line)
  }
  const reason = lines.find((line) => line.includes('FATAL')) ?? lines.at(-1) ?? 'it said nothing'
  throw new Fault(`PostgreSQL did not start on ${data}: ${reason.replace(/^.*FATAL:\s*/, '')}`)
}

/** A port of 127.0.0.1 that nothing listens on. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
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
