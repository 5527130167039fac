import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { captureStack } from '../local/emulators/pulumi/capture.ts'
import { createDatabase, type TestDatabase } from '../prisma/test-database.ts'

const execute = promisify(execFile)
const SECRET = 's'.repeat(32)

let database: TestDatabase
let archive: string

beforeAll(async () => {
  database = await createDatabase()
  archive = await mkdtemp(join(tmpdir(), 'cms-edge-archive-'))
  const { resources } = await captureStack({
    stack: 'site-stage',
    secrets: {
      CMS_API_KEY: SECRET,
      ADMIN_PURGE_SECRET: SECRET,
      DATABASE_ADMIN_PASSWORD: SECRET,
    },
  })
  const migrate = resources.find(({ name, type }) => name === 'migrate' && /:Function$/.test(type))
  const code = migrate?.inputs.code as { assets: Record<string, { path: string }> }
  for (const [name, { path }] of Object.entries(code.assets))
    await cp(join(import.meta.dirname, path), join(archive, name), { recursive: true })
})

afterAll(async () => {
  await rm(archive, { recursive: true })
  await database.drop()
})

/** Runs the migration function in a folder that contains only the files of its archive, as in Lambda. */
async function invoke(event: unknown): Promise<unknown> {
  const program =
    "import('./index.mjs').then(({ handler }) => handler(JSON.parse(process.argv[1]))).then((outcome) => console.log(JSON.stringify(outcome)))"
  const { stdout } = await execute(process.execPath, ['-e', program, JSON.stringify(event)], {
    cwd: archive,
    env: { DATABASE_URL: database.url, DATABASE_USER: 'archive_reader' },
  })
  return JSON.parse(stdout)
}

async function select(sql: string): Promise<unknown[]> {
  const client = new pg.Client(database.url)
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

test('the archive of the migration function contains all files that it reads', async () => {
  // The test database is migrated already.
  expect(await invoke({ action: 'migrate' })).toEqual({ applied: [] })
  expect(
    await invoke({
      action: 'create-site',
      acronym: 'gazette',
      domain: 'www.gazette.example',
      name: 'The Gazette',
      default_language: 'en',
      languages: ['de'],
    }),
  ).toEqual({ siteId: 1 })
  expect(await invoke({ action: 'import-demo', acronym: 'meridian' })).toEqual({
    articles: expect.any(Number),
  })
  expect(
    await select(`SELECT acronym, count(articles.id) > 0 AS has_articles, css_slug
      FROM sites JOIN site_settings ON site_id = sites.id LEFT JOIN articles ON articles.site_id = sites.id
      GROUP BY acronym, css_slug ORDER BY acronym`),
  ).toEqual([
    { acronym: 'gazette', has_articles: false, css_slug: 'harbour' },
    { acronym: 'meridian', has_articles: true, css_slug: 'meridian' },
  ])
})

test('an invalid event makes the invocation fail with the reason', async () => {
  await expect(invoke({ action: 'destroy' })).rejects.toThrow('Invalid event')
})
