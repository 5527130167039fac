import pg from 'pg'

/**
 * Runs a function with one connection, whose time zone is UTC. If PostgreSQL closes the connection, the
 * current or next query rejects.
 */
export async function withClient<T>(
  databaseUrl: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c TimeZone=UTC' })
  // Without a listener, this event would end the process. The error also rejects the query.
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
