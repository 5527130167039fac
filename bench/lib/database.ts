import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { seed } from '../../demo/index.ts'
import { startPostgres } from '../../local/emulators/postgres/postgres.ts'
import { migrate } from '../../prisma/migrate.ts'

/** Starts a PostgreSQL with a seeded database. Its writes are durable by default (`isDurable`), as in production. */
export async function startDatabase(
  articles: number,
): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = join(tmpdir(), `cms-edge-bench-${process.pid}`)
  const postgres = await startPostgres({ dataDir, password: 'bench' })
  const url = postgres.url('bench')
  await execute(postgres.url('postgres'), 'CREATE DATABASE bench')
  await migrate(url)
  await seed(url, { articles })
  await execute(url, 'VACUUM ANALYZE')
  return {
    url,
    stop: async () => {
      await postgres.stop()
      // It differs from `dataDir` when PostgreSQL's user cannot enter that.
      await rm(postgres.dataDir, { recursive: true, force: true })
    },
  }
}

/** Runs one statement on a new connection; returns its rows. */
export async function execute<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}
