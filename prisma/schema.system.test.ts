import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from './test-database.ts'

const SCHEMA = join(import.meta.dirname, 'schema.prisma')

// OIDs of PostgreSQL's catalogue types that the adapter does not support, mapped to similar types: char and
// name to text, oid and xid to bigint, and arrays of char and name to an array of text.
const KNOWN_TYPES: Record<number, number> = {
  18: 25,
  19: 25,
  26: 20,
  28: 20,
  1002: 1009,
  1003: 1009,
}

let database: TestDatabase
let pool: CataloguePool
let SchemaEngine: Awaited<ReturnType<typeof loadEngine>>

beforeAll(async () => {
  SchemaEngine = await loadEngine()
  database = await createDatabase()
  pool = new CataloguePool({ connectionString: database.url })
})

afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** Returns the SQL that would change the migrated database to a schema. */
async function diff(content: string): Promise<string> {
  const files = [{ path: SCHEMA, content }]
  const engine = await SchemaEngine.new(
    { datamodels: [[SCHEMA, content]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool)),
  )
  const { stdout } = await engine.diff({
    from: { tag: 'schemaDatasource', files, configDir: import.meta.dirname },
    to: { tag: 'schemaDatamodel', files },
    script: true,
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  })
  return stdout ?? ''
}

test('the migrations create the database that schema.prisma describes', async () => {
  expect(await diff(await readFile(SCHEMA, 'utf8'))).toContain('This is an empty migration')
})

test('differences between schema and database are detected', async () => {
  const schema = await readFile(SCHEMA, 'utf8')
  expect(await diff(`${schema}\nmodel Extra {\n  id Int @id\n}\n`)).toContain(
    'CREATE TABLE "Extra"',
  )
  expect(await diff(schema.replace(/^.*articles_search_idx.*$/m, ''))).toContain('DROP INDEX')
})

/**
 * A pool for the schema engine. Hides check and not-null constraints, because schema.prisma cannot express
 * them, and replaces types that the adapter does not support.
 */
class CataloguePool extends pg.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: pg overloads query() beyond what a subclass can restate.
  override async query(...request: any[]): Promise<any> {
    const result = await (super.query as (...args: unknown[]) => Promise<pg.QueryResult>)(
      ...request,
    )
    const fields = result.fields ?? []
    if (fields.some(({ name }) => name === 'constraint_type')) result.rows = []
    for (const field of fields) field.dataTypeID = KNOWN_TYPES[field.dataTypeID] ?? field.dataTypeID
    return result
  }
}

// The generated JavaScript of the engine supports one WebAssembly instance, so the engine is loaded once.
async function loadEngine() {
  const fail = (text: string) => {
    throw new Error(text)
  }
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: fail } })
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const { resolve } = createRequire(import.meta.url)
  const entry = resolve('@prisma/schema-engine-wasm')
  const wasm = readFileSync(entry.replace('schema_engine.js', 'schema_engine_bg.wasm'))
  const instance = instantiate(wasm, { './schema_engine_bg.js': glue })
  glue.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  return glue.SchemaEngine
}

interface WebAssemblyApi {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: { __wbindgen_start(): void } }
}

/**
 * Instantiates a WebAssembly module. TypeScript declares the global only in `lib.dom`, which is not loaded.
 */
function instantiate(bytes: Uint8Array, imports: object) {
  const { Module, Instance } = Reflect.get(globalThis, 'WebAssembly') as WebAssemblyApi
  return new Instance(new Module(bytes), imports)
}
