import pg from 'pg'
import { inject } from 'vitest'
import { clone, type TestDatabase, toDatabaseUrl } from '../prisma/test-database.ts'
import { seed } from './index.ts'

/** Reference date of the demo in tests, so that the content is the same every day. */
export const SEEDED_ON = new Date('2026-11-20T00:00:00Z')

const SEEDED_TEMPLATE = 'cms_seeded'
/** Key of the advisory lock that only one process holds while it creates the template. */
const LOCK = 4_100_311

/** Creates a database with the demo; the first call creates the template that all calls clone. */
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
      // Only a database whose seeding has succeeded gets the template's name.
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
