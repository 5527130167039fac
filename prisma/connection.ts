import pg from 'pg'

/**
 * Runs a function with one connection, whose time zone is UTC. When PostgreSQL closes the connection, the current or
 * next query rejects.
 */
export async function withClient<T>(
  databaseUrl: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c TimeZone=UTC' })
  // Without a listener Node would exit; the query rejects as well.
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
