import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { createDatabase, type TestDatabase } from './test-database.ts'

const MIGRATIONS = join(import.meta.dirname, 'migrations')

let database: TestDatabase
let client: pg.Client
let directory: string

beforeEach(async () => {
  database = await createDatabase()
  client = new pg.Client(database.url)
  await client.connect()
  directory = await mkdtemp(join(tmpdir(), 'migrations-'))
  await cp(MIGRATIONS, directory, { recursive: true })
})

afterEach(async () => {
  await client.end()
  await database.drop()
  await rm(directory, { recursive: true })
})

async function addMigration(name: string, sql: string): Promise<void> {
  await mkdir(join(directory, name), { recursive: true })
  await writeFile(join(directory, name, 'migration.sql'), sql)
}

const exists = async (table: string) => {
  const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS exists', [table])
  return rows[0]?.exists
}

test('applies pending migrations once, and records them as Prisma does', async () => {
  expect(await migrate(database.url, { directory })).toEqual([])
  await addMigration('29990101000000_note', 'CREATE TABLE note (id integer);')
  expect(await migrate(database.url, { directory })).toEqual(['29990101000000_note'])
  expect(await migrate(database.url, { directory })).toEqual([])
  const { rows } = await client.query(
    `SELECT * FROM _prisma_migrations WHERE migration_name = '29990101000000_note'`,
  )
  expect(rows).toMatchObject([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      finished_at: expect.any(Date),
      rolled_back_at: null,
      logs: null,
      applied_steps_count: 1,
    },
  ])
})

test('a failed migration is rolled back, reports its cause, and can be applied again after a correction', async () => {
  await addMigration('29990101000000_broken', 'CREATE TABLE half (id integer); SELECT 1/0;')
  await expect(migrate(database.url, { directory })).rejects.toThrow(
    '29990101000000_broken failed: division by zero',
  )
  expect(await exists('half')).toBe(false)
  await addMigration('29990101000000_broken', 'CREATE TABLE half (id integer);')
  expect(await migrate(database.url, { directory })).toEqual(['29990101000000_broken'])
  expect(await exists('half')).toBe(true)
})

test('a migration that a killed migrator left unfinished is applied again', async () => {
  await addMigration('29990101000000_note', 'CREATE TABLE note (id integer);')
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'x', '29990101000000_note')`,
  )
  expect(await migrate(database.url, { directory })).toEqual(['29990101000000_note'])
})

test('rejects a migration that was edited after it had been applied', async () => {
  await addMigration('29990101000000_note', 'CREATE TABLE note (id integer);')
  await migrate(database.url, { directory })
  await addMigration('29990101000000_note', 'CREATE TABLE note (id bigint);')
  await expect(migrate(database.url, { directory })).rejects.toThrow('was edited')
})

test('of two concurrent migrators, one applies the migrations and the other none', async () => {
  await addMigration('29990101000000_note', 'CREATE TABLE note (id integer); SELECT pg_sleep(0.2);')
  const both = await Promise.all([
    migrate(database.url, { directory }),
    migrate(database.url, { directory }),
  ])
  expect(both.toSorted((a, b) => a.length - b.length)).toEqual([[], ['29990101000000_note']])
})

test('the role of the read API may read tables and write none', async () => {
  await migrate(database.url, { directory, apiRole: 'test_api' })
  await migrate(database.url, { directory, apiRole: 'test_api' })
  await client.query('SET ROLE test_api')
  await client.query('SELECT FROM articles, revisions, changes, api_secrets')
  await expect(client.query(`UPDATE global_settings SET title = 'x'`)).rejects.toThrow(
    'permission denied',
  )
})
