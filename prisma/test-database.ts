import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  /** URL with the credentials of the owner. */
  url: string
  drop(): Promise<void>
}

/** Creates a migrated, empty database for one test. Call `drop` at the end. */
export function createDatabase(): Promise<TestDatabase> {
  // local/testing/postgres.ts starts PostgreSQL and provides this value.
  return clone(inject('postgres').template)
}

/** Creates a database for one test as a copy of the database `template`. Call `drop` at the end. */
export async function clone(template: string): Promise<TestDatabase> {
  const { adminUrl } = inject('postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  await execute(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  return {
    url: toDatabaseUrl(adminUrl, name),
    drop: () => drop(adminUrl, name),
  }
}

// A pool that was just closed may still have connections. If they were terminated, their errors would fail
// the test run, so this waits up to two seconds for their end.
async function drop(adminUrl: string, name: string): Promise<void> {
  const waitForDisconnects = `DO $$ BEGIN
    FOR i IN 1..100 LOOP
      PERFORM pg_stat_clear_snapshot();
      EXIT WHEN NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = '${name}');
      PERFORM pg_sleep(0.02);
    END LOOP;
  END $$`
  await execute(adminUrl, waitForDisconnects)
  await execute(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`)
}

/** Returns the URL of another database on the same server. */
export function toDatabaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
