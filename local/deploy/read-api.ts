import { createWriteStream } from 'node:fs'
import { relative } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { withClient } from '../../prisma/connection.ts'
import { migrate } from '../../prisma/migrate.ts'
import type { DatabaseServer } from '../emulators/postgres/postgres.ts'
import { compileCache, root } from '../lib/paths.ts'
import { spawnSupervised } from '../lib/spawn-supervised.ts'
import { toErrorMessage, UserError } from '../lib/user-error.ts'
import type { DeclaredApi } from './aws-resources.ts'
import { bundleReadApi } from './bundle-read-api.ts'

/** Characters of standard error that are searched for the reason of a failed start. */
const MAX_ERROR_LENGTH = 10_000

interface ApiSettings {
  api: DeclaredApi
  /** Database URL with the read API's role. */
  databaseUrl: string
  /** API key that the API reference at `/docs` sends. */
  docsKey: string
  logFile: string
  port: number
}

/**
 * Runs a declared read API in a separate process, with its declared variables except those for RDS
 * (`DATABASE_…`) and for Lambda's runtime (`NODE_…`).
 *
 * @throws UserError when its sources do not parse, or the process ends before it listens
 */
export async function startApi({ api, databaseUrl, docsKey, logFile, port }: ApiSettings) {
  const declared = Object.entries(api.variables).filter(([name]) => !/^(DATABASE|NODE)_/.test(name))
  const child = spawnSupervised({
    command: process.execPath,
    args: ['--enable-source-maps', await bundleReadApi()],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compileCache,
      ...Object.fromEntries(declared),
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      DOCS_API_KEY: docsKey,
    },
  })
  const log = createWriteStream(logFile, { flags: 'a' })
  child.stderr.pipe(log)
  let printed = ''
  child.stderr.on('data', (chunk) => {
    if (printed.length < MAX_ERROR_LENGTH) printed += chunk
  })
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('listening on')) resolve()
      else log.write(`${line}\n`)
    })
    child.exited.then((code) =>
      reject(
        new UserError(
          `The read API of ${api.stack} ended with ${code}${toReason(printed)}: see ${logFile}.`,
        ),
      ),
    )
  })
  return child
}

/** Returns file, line and message of an error that Node printed, in parentheses; empty when there is none. */
function toReason(printed: string): string {
  const [, file, line] = /(\/\S+\.ts):(\d+)/.exec(printed) ?? []
  const [message] = /^\w*Error\b.*/m.exec(printed) ?? []
  const location = file === undefined ? '' : `${relative(root, file)}:${line}: `
  return message === undefined ? '' : ` (${location}${message})`
}

/** Creates a role for read APIs if it does not exist, and sets its password; migrations grant its rights. */
export async function createApiRole(server: DatabaseServer, role: string, password: string) {
  await runAsOwner(server, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role])
    const verb = rowCount === 0 ? 'CREATE' : 'ALTER'
    const name = pg.escapeIdentifier(role)
    await client.query(`${verb} ROLE ${name} LOGIN PASSWORD ${pg.escapeLiteral(password)}`)
  })
}

/** Creates a database if it does not exist, and migrates it; returns its URL with the owner's credentials. */
export async function createDatabase(server: DatabaseServer, name: string, apiRole: string) {
  await runAsOwner(server, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`)
  })
  const url = server.url(name)
  await migrate(url, { reader: apiRole }).catch((error) => {
    throw new UserError(`The database ${name} cannot be migrated: ${toErrorMessage(error)}`)
  })
  return url
}

async function runAsOwner(
  server: DatabaseServer,
  use: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const url = server.url('postgres')
  await withClient(url, use).catch((error) => {
    throw new UserError(
      `PostgreSQL at ${new URL(url).host} cannot be used: ${toErrorMessage(error)}`,
    )
  })
}
