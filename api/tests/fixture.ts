import { createHash } from 'node:crypto'
import pg from 'pg'
import { createDatabase as cloneDatabase } from '../../prisma/test-database.ts'
import { createApp } from '../app.ts'
import { type ApiDatabase, createDatabase } from '../database.ts'
import type { Logger } from '../log.ts'

export const KEY = 'key-of-the-worker-0123456789abcdef'
export const PREVIEW_SECRET = 'preview-secret-0123456789abcdefghi'
export const KEY_DIGESTS = [digest('another key that is valid too, 1234'), digest(KEY)]

export type Columns = Record<string, unknown>
export interface RequestSettings {
  method?: string
  headers?: Record<string, string>
  /** API key; null sends none. */
  key?: string | null
}
type App = ReturnType<typeof createApp>

/** An instance of the API, with its log lines. */
export interface Instance {
  app: App
  database: ApiDatabase
  lines: Record<string, unknown>[]
  request(path: string, request?: RequestSettings): Promise<Response>
  close(): Promise<void>
}

/** Database of one test file, with functions that write to it and start instances of the API. */
export interface Fixture {
  url: string
  sql<Row extends Columns = Columns>(text: string, values?: unknown[]): Promise<Row[]>
  /** Inserts a row and returns its id, or 0 if the table has no column `id`. */
  insert(table: string, columns: Columns): Promise<number>
  /** Starts an instance of the API, which `close` stops. `max` is its maximum number of connections. */
  start(options?: { max?: number; v1Enabled?: boolean }): Instance
  close(): Promise<void>
}

export async function createFixture(): Promise<Fixture> {
  const { url, drop } = await cloneDatabase()
  const pool = new pg.Pool({ connectionString: url, options: '-c TimeZone=UTC' })
  // PostgreSQL may terminate a connection after pool.end() has resolved.
  pool.on('error', () => {})
  const instances: Instance[] = []

  async function sql<Row extends Columns>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await pool.query<Row>(text, values)).rows
  }
  return {
    url,
    sql,
    insert: async (table, columns) => {
      const names = Object.keys(columns)
      const placeholders = names.map((_, i) => `$${i + 1}`)
      const [row] = await sql<{ id: number }>(
        `INSERT INTO ${table} (${names}) VALUES (${placeholders}) RETURNING *`,
        Object.values(columns),
      )
      return row?.id ?? 0
    },
    start: (options = {}) => {
      const instance = startInstance(url, options)
      instances.push(instance)
      return instance
    },
    close: async () => {
      await Promise.all(instances.map((instance) => instance.close()))
      await pool.end()
      await drop()
    },
  }
}

/** Creates an instance of the API without a server; `request` calls it directly. The caller closes it. */
export function startInstance(
  url: string,
  { max = 5, v1Enabled = true }: { max?: number; v1Enabled?: boolean } = {},
): Instance {
  const lines: Instance['lines'] = []
  const write = (line: unknown): void => void lines.push(line as Record<string, unknown>)
  const log = { debug: () => {}, info: write, warn: write, error: write } as Logger
  const database = createDatabase({ type: 'url', url }, { max, log })
  const app = createApp({
    database,
    log,
    v1Enabled,
    keyDigests: KEY_DIGESTS,
    previewDigests: [digest(PREVIEW_SECRET)],
  })
  return {
    app,
    database,
    lines,
    request: async (path, { method = 'GET', headers = {}, key = KEY } = {}) => {
      const all = new Headers(headers)
      if (key !== null) all.set('authorization', `Bearer ${key}`)
      return app.request(path, { method, headers: all })
    },
    close: () => database.close(),
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
