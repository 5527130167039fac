import pg from 'pg'

/**
 * Uses one connection, in UTC. When PostgreSQL ends it, the query in hand rejects, or else the next.
 */
export async function withClient<T>(
  databaseUrl: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c TimeZone=UTC' })
  // Without a listener Node would end, though a query tells of it as well.
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
