import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { seed } from '../demo/index.ts'

export interface TestDatabase {
  /** The owner's URL. */
  url: string
  drop(): Promise<void>
}

/** A migrated, empty database of the test's own, cloned from the template of the run. */
export function createDatabase(): Promise<TestDatabase> {
  return clone(inject('postgres').template)
}

/** The reference of the seed that tests see: the day that is passed since is of no account to them. */
export const SEEDED_ON = new Date('2026-11-20T00:00:00Z')

const SEEDED_TEMPLATE = 'cms_seeded'
const LOCK = 4_100_311

/** A seeded database of the test's own; the first test to ask makes the template that all clone. */
export async function createSeededDatabase(): Promise<TestDatabase> {
  const { adminUrl, template } = inject('postgres')
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [
      SEEDED_TEMPLATE,
    ])
    if (!rowCount) {
      const raw = `${SEEDED_TEMPLATE}_raw`
      await client.query(`CREATE DATABASE ${raw} TEMPLATE ${template}`)
      await seed(toDatabaseUrl(adminUrl, raw), { reference: SEEDED_ON })
      await client.query(`ALTER DATABASE ${raw} RENAME TO ${SEEDED_TEMPLATE}`)
    }
  } finally {
    await client.end()
  }
  return clone(SEEDED_TEMPLATE)
}

async function clone(template: string): Promise<TestDatabase> {
  const { adminUrl } = inject('postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  await execute(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  return {
    url: toDatabaseUrl(adminUrl, name),
    drop: () => drop(adminUrl, name),
  }
}

// A pool that was closed is not yet gone: forced out at once, its last connection fails the run.
async function drop(adminUrl: string, name: string): Promise<void> {
  const leaving = `DO $$ BEGIN
    FOR i IN 1..100 LOOP
      PERFORM pg_stat_clear_snapshot();
      EXIT WHEN NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = '${name}');
      PERFORM pg_sleep(0.02);
    END LOOP;
  END $$`
  await execute(adminUrl, leaving)
  await execute(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`)
}

function toDatabaseUrl(adminUrl: string, name: string): string {
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
