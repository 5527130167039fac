import type pg from 'pg'
import { withClient } from './connection.ts'

/** Runs a function in one transaction, which is rolled back when the function throws. */
export function inTransaction<T>(
  databaseUrl: string,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> {
  // PostgreSQL rolls an open transaction back when its connection ends.
  return withClient(databaseUrl, async (client) => {
    await client.query('BEGIN')
    const result = await run(client)
    await client.query('COMMIT')
    return result
  })
}
