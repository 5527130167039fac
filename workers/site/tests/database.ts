import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { SCHEMA } from '../invalidation/queries.ts'
import type { Database, Statement } from '../ports.ts'
import type { Clock } from './clock.ts'

/** Faults of the calls that begin while they are set. */
interface DatabaseFaults {
  /** Duration of a call in milliseconds; half of it passes before the transaction runs. */
  latency: () => number
  failing: boolean
  /** The response is lost after the transaction has run. */
  losesResponses: boolean
}

export interface DatabaseDouble extends Database {
  faults: DatabaseFaults
  /** Statements of each transaction that ran. */
  readonly transactions: readonly (readonly Statement[])[]
  clearTransactions(): void
  /** All rows of a table. */
  rows(table: 'state' | 'invalidations'): Record<string, unknown>[]
  /** Creates the tables, as if the change log had just been read up to this revision. */
  createTables(revision: string, restoreId: string): void
  /** Deletes the database and creates an empty one. */
  recreate(): void
  /** Saves all rows; returns a function that restores them, like D1 Time Travel. */
  snapshot(): () => void
  /** Ends its use. Node would keep an open database, and all that its functions refer to, in memory. */
  close(): void
}

/** Simulates D1 with SQLite on the simulated clock: each call is one transaction and sees all earlier ones. */
export function createDatabaseDouble({ now, sleep }: Pick<Clock, 'now' | 'sleep'>): DatabaseDouble {
  let sqlite = createSqlite()
  const transactions: (readonly Statement[])[] = []
  const prepared = new Map<string, StatementSync>()

  const double: DatabaseDouble = {
    faults: { latency: () => 0, failing: false, losesResponses: false },
    transactions,
    clearTransactions: () => {
      transactions.length = 0
    },
    async transact(statements) {
      const { latency, failing, losesResponses } = double.faults
      const milliseconds = latency()
      if (milliseconds > 0) await sleep(milliseconds / 2)
      if (failing) throw new Error('D1_ERROR: Network connection lost.')
      const results = run(statements)
      if (milliseconds > 0) await sleep(milliseconds / 2)
      if (losesResponses) throw new Error('D1_ERROR: Network connection lost.')
      return results
    },
    rows: (table) => (hasTables() ? sqlite.prepare(`SELECT * FROM ${table}`).all() : []),
    createTables(revision, restoreId) {
      const sql = `UPDATE state SET revision = ?, restore_id = ?, started_at = ?, followed_at = ?`
      const parameters = [revision, restoreId, now(), now()]
      run([...SCHEMA, { sql, parameters }])
      transactions.length = 0
    },
    recreate() {
      prepared.clear()
      sqlite.close()
      sqlite = createSqlite()
    },
    snapshot() {
      if (!hasTables()) return () => double.recreate()
      const saved = { state: double.rows('state'), invalidations: double.rows('invalidations') }
      return () => {
        for (const [table, rows] of Object.entries(saved)) replaceRows(table, rows)
      }
    },
    close: () => sqlite.close(),
  }
  return double

  function createSqlite(): DatabaseSync {
    const database = new DatabaseSync(':memory:')
    database.function('unixepoch', { varargs: true }, () => now() / 1000)
    return database
  }

  function run(statements: readonly Statement[]): unknown[][] {
    transactions.push(statements)
    sqlite.exec('BEGIN IMMEDIATE')
    try {
      const results = statements.map(({ sql, parameters }) =>
        prepare(sql)
          .all(...parameters)
          .map((row) => ({ ...row })),
      )
      sqlite.exec('COMMIT')
      return results
    } catch (error) {
      sqlite.exec('ROLLBACK')
      throw error
    }
  }

  function prepare(sql: string): StatementSync {
    const statement = prepared.get(sql) ?? sqlite.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }

  function hasTables(): boolean {
    return sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'state'").all().length > 0
  }

  function replaceRows(table: string, rows: readonly Record<string, unknown>[]): void {
    sqlite.exec(`DELETE FROM ${table}`)
    for (const row of rows) {
      const columns = Object.keys(row)
      const placeholders = columns.map(() => '?').join(', ')
      const values = Object.values(row) as (string | number | null)[]
      sqlite
        .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${placeholders})`)
        .run(...values)
    }
  }
}
