import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { withClient } from './connection.ts'

/** Key of the advisory lock that Prisma's CLI uses for migrations. */
const LOCK = 72_707_369

interface MigrationSettings {
  /** Role of the read API. It gets read access to every table, and is created if it does not exist. */
  apiRole?: string
  /** Folder of migrations in Prisma's layout; by default the one next to this file. */
  directory?: string
}

interface Migration {
  name: string
  sql: string
  checksum: string
}

/**
 * Applies pending migrations in the order of their names, each in a transaction, and records them in
 * `_prisma_migrations`, as `prisma migrate deploy` does. Concurrent calls wait for each other.
 * Returns the names of the migrations that it applied.
 * @throws Error if an applied migration was edited, or if a migration fails, which is then rolled back
 */
export async function migrate(
  databaseUrl: string,
  options: MigrationSettings = {},
): Promise<string[]> {
  const migrations = await readMigrations(
    options.directory ?? join(import.meta.dirname, 'migrations'),
  )
  return withClient(databaseUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    const pending = await findPending(client, migrations)
    for (const migration of pending) await apply(client, migration)
    if (options.apiRole) await grantReadAccess(client, options.apiRole)
    return pending.map(({ name }) => name)
  })
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(directory, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Returns the migrations that are not recorded as applied. @throws Error if an applied one was edited */
async function findPending(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  await client.query(CREATE_RECORDS_TABLE)
  // A migrator that was killed leaves an unfinished record; its transaction did not commit.
  await client.query(
    'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL',
  )
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  )
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]))
  const edited = migrations.find(
    ({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum,
  )
  if (edited)
    throw new Error(
      `The migration ${edited.name} was edited after it had been applied. Restore it, and put the change into a new migration.`,
    )
  return migrations.filter(({ name }) => !applied.has(name))
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  const id = randomUUID()
  await client.query(
    'INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)',
    [id, checksum, name],
  )
  try {
    await client.query('BEGIN')
    await client.query(sql)
    await client.query(
      'UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1',
      [id],
    )
    await client.query('COMMIT')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await client.query('ROLLBACK')
    await client.query(
      'UPDATE _prisma_migrations SET logs = $2, rolled_back_at = now() WHERE id = $1',
      [id, reason],
    )
    throw new Error(`The migration ${name} failed: ${reason}`, { cause: error })
  }
}

async function grantReadAccess(client: pg.Client, apiRole: string): Promise<void> {
  const role = pg.escapeIdentifier(apiRole)
  await client.query(`DO $$ BEGIN CREATE ROLE ${role} LOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`)
  // On RDS, members of the role rds_iam sign in with a token of IAM instead of a password.
  const { rowCount } = await client.query(`SELECT FROM pg_roles WHERE rolname = 'rds_iam'`)
  if (rowCount) await client.query(`GRANT rds_iam TO ${role}`)
  await client.query(`GRANT USAGE ON SCHEMA public TO ${role}`)
  await client.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`)
}

const CREATE_RECORDS_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY NOT NULL,
  checksum varchar(64) NOT NULL,
  finished_at timestamptz,
  migration_name varchar(255) NOT NULL,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0
)`
