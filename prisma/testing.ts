import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  /** The owner's URL. */
  url: string
  drop(): Promise<void>
}

/** A migrated, empty database of the test's own, cloned from the template of the run. */
export function createDatabase(): Promise<TestDatabase> {
  return clone(inject('postgres').template)
}

async function clone(template: string): Promise<TestDatabase> {
  const { adminUrl } = inject('postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  await execute(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  return {
    url: toDatabaseUrl(adminUrl, name),
    drop: () => execute(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  }
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
