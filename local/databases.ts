import pg from 'pg'
import { withClient } from '../prisma/connection.ts'
import { migrate } from '../prisma/migrate.ts'
import { findApis, toApiRole, toDatabaseName } from './deploy/aws-resources.ts'
import { readDomains } from './deploy/stack-overrides.ts'
import type { DatabaseServer } from './emulators/postgres/postgres.ts'
import type { CapturedStack } from './emulators/pulumi/captured-stack.ts'
import { root } from './lib/paths.ts'
import { toErrorMessage, UserError } from './lib/user-error.ts'
import type { StartContext } from './services.ts'

/**
 * Creates and migrates a database for each declared read API, and creates the roles that the APIs connect
 * as. Writes the demo to each database that has no site yet.
 */
export async function prepareDatabases(
  context: StartContext,
  captures: readonly CapturedStack[],
): Promise<void> {
  const apis = findApis(captures)
  const { databaseServer, apiRolePassword } = context.addresses
  for (const role of new Set(apis.map(toApiRole)))
    await createApiRole(databaseServer, role, apiRolePassword)
  const prepared = apis.map(async (api) => {
    const url = await createDatabase(databaseServer, toDatabaseName(api), toApiRole(api))
    if (await hasSites(url)) return
    const { seed } = await import('../demo/index.ts')
    await seed(url, {
      articles: context.options.articles,
      domains: await readDomains(root),
      onProgress: ({ done, total }) => context.report.progress(api.stack, done, total),
    })
  })
  await Promise.all(prepared)
}

// Creates a role if it does not exist, and sets its password. `migrate` grants it read access.
async function createApiRole(
  server: DatabaseServer,
  role: string,
  password: string,
): Promise<void> {
  await runAsOwner(server, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role])
    const verb = rowCount === 0 ? 'CREATE' : 'ALTER'
    const name = pg.escapeIdentifier(role)
    await client.query(`${verb} ROLE ${name} LOGIN PASSWORD ${pg.escapeLiteral(password)}`)
  })
}

// Creates a database if it does not exist, and migrates it; returns its URL with the owner's credentials.
async function createDatabase(
  server: DatabaseServer,
  name: string,
  apiRole: string,
): Promise<string> {
  await runAsOwner(server, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`)
  })
  const url = server.url(name)
  await migrate(url, { apiRole }).catch((error) => {
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

async function hasSites(url: string): Promise<boolean> {
  const { rowCount } = await withClient(url, (client) => client.query('SELECT FROM sites LIMIT 1'))
  return rowCount !== 0
}
