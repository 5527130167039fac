import pg from 'pg'

/** Runs a function in one transaction; when it throws, nothing remains. */
export async function inTransaction<T>(
  databaseUrl: string,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
  try {
    await client.query('BEGIN')
    const result = await run(client)
    await client.query('COMMIT')
    return result
  } finally {
    // What has not been committed is rolled back.
    await client.end()
  }
}
