import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../prisma/migrate.ts'
import { startPostgres } from '../emulators/postgres/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of all tests: its owner's URL, and the name of a migrated, empty database to clone. */
    postgres: { adminUrl: string; template: string }
  }
}

const TEMPLATE = 'cms_template'

/** Starts one PostgreSQL for all tests, with a migrated database to clone; returns a function to stop it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const password = randomBytes(16).toString('hex')
  const dataDir = join(tmpdir(), `cms-edge-tests-${password}`)
  const postgres = await startPostgres({ dataDir, password, isDurable: false })
  const adminUrl = postgres.url('postgres')
  await execute(adminUrl, `CREATE DATABASE ${TEMPLATE}`)
  await migrate(postgres.url(TEMPLATE))
  project.provide('postgres', { adminUrl, template: TEMPLATE })
  return async () => {
    await postgres.stop()
    await rm(postgres.dataDir, { recursive: true, force: true })
  }
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}
