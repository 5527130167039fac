import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { SCHEMA } from '../invalidation/queries.ts'
import type { Database, Statement } from '../ports.ts'
import type { Clock } from './clock.ts'

/** How D1 behaves for calls that begin now. */
interface DatabaseFaults {
  /** Milliseconds of each call, half of them before the transaction runs. */
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
  /** Creates the tables, with the change log read up to a revision. */
  createTables(revision: string, restoreId: string): void
  /** Deletes the database and creates an empty one. */
  recreate(): void
  /** State for `restore`, as Time Travel has it. */
  snapshot(): () => void
}

/** D1 on a real SQLite engine whose clock is the simulated one: one transaction a call, strongly consistent. */
export function createDatabaseDouble({ now, sleep }: Pick<Clock, 'now' | 'sleep'>): DatabaseDouble {
  let sqlite = open()
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
      const advance = `UPDATE state SET revision = ?, restore_id = ?, started_at = ?, followed_at = ?`
      const parameters = [revision, restoreId, now(), now()]
      run([...SCHEMA, { sql: advance, parameters }])
      transactions.length = 0
    },
    recreate() {
      prepared.clear()
      sqlite.close()
      sqlite = open()
    },
    snapshot() {
      if (!hasTables()) return () => double.recreate()
      const saved = { state: double.rows('state'), invalidations: double.rows('invalidations') }
      return () => {
        for (const [table, rows] of Object.entries(saved)) replaceRows(table, rows)
      }
    },
  }
  return double

  function open(): DatabaseSync {
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
    const known = prepared.get(sql) ?? sqlite.prepare(sql)
    prepared.set(sql, known)
    return known
  }

  function hasTables(): boolean {
    return sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'state'").all().length > 0
  }

  function replaceRows(table: string, rows: readonly Record<string, unknown>[]): void {
    sqlite.exec(`DELETE FROM ${table}`)
    for (const row of rows) {
      const columns = Object.keys(row)
      const marks = columns.map(() => '?').join(', ')
      const values = Object.values(row) as (string | number | null)[]
      sqlite
        .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`)
        .run(...values)
    }
  }
}
