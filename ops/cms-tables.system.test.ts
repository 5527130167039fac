import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../prisma/test-database.ts'
import { expectInDocument } from './testing/document.ts'

const CMS = new URL('../docs/cms.md', import.meta.url)
/** Tables that a CMS does not write. */
const INTERNAL = [
  'changes',
  'revisions',
  'database_identity',
  'api_secrets',
  '_prisma_migrations',
  'template_publications',
]

const COLUMNS = `SELECT table_name AS "table", column_name AS name,
  is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO' AS required
FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`

// A rule that no constraint can express is checked by a trigger. Its arguments or its function contain the rule's name.
const RULES = `SELECT conrelid::regclass::text AS "table", conname AS name FROM pg_constraint
WHERE contype IN ('c', 'f', 'u') AND connamespace = 'public'::regnamespace
UNION SELECT tgrelid::regclass::text, rule[1] FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid,
  regexp_matches(pg_get_triggerdef(pg_trigger.oid) || prosrc, '''([a-z_]+_(?:in_site|site_of_[a-z]+))''', 'g') AS rule
WHERE proname LIKE 'check\\_%'
ORDER BY 1, 2`

interface Column {
  table: string
  name: string
  required: boolean
}

let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await createDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

test('docs/cms.md lists the tables, their columns and their constraints', async () => {
  const { rows: columns } = await client.query<Column>(COLUMNS)
  const { rows: rules } = await client.query<Pick<Column, 'table' | 'name'>>(RULES)
  const tables = [...new Set(columns.map(({ table }) => table))].filter(
    (table) => !INTERNAL.includes(table),
  )
  expect(tables).toContain('articles')
  const lines = tables.map((table) => {
    const columnsOfTable = columns.filter((column) => column.table === table)
    const names = rules.filter((rule) => rule.table === table).map(({ name }) => name)
    const prefix = `${table}_`
    const short = names.map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name))
    return [
      `\`${table}\``,
      toList(columnsOfTable.filter(({ required }) => required).map(({ name }) => name)),
      toList(columnsOfTable.filter(({ required }) => !required).map(({ name }) => name)),
      toList(short),
    ]
  })
  const head = [
    ['table', 'required', 'optional', 'constraints (names without `<table>_`)'],
    ['---', '---', '---', '---'],
  ]
  const text = [...head, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  await expectInDocument(CMS, 'tables', text)
})

test('PostgreSQL accepts the statements of docs/cms.md', async () => {
  const text = await readFile(CMS, 'utf8')
  const statements = [...text.matchAll(/^```sql\n(.*?)^```/gms)].flatMap(([, block = '']) =>
    block.split(/;\n/).filter((statement) => statement.trim() !== ''),
  )
  await client.query('BEGIN')
  await client.query(
    "INSERT INTO sites (acronym, domain, name, default_language) VALUES ('harbour', 'a.example', 'A', 'en')",
  )
  await client.query('INSERT INTO site_settings (site_id) SELECT id FROM sites')
  for (const statement of statements) {
    const { command, rowCount } = await client.query(statement)
    if (/INSERT|UPDATE/.test(command)) expect(rowCount, statement).toBe(1)
  }
  await client.query('ROLLBACK')
  expect(statements.length).toBeGreaterThan(10)
})

const toList = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
