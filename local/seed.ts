import pg from 'pg'
import type { seed } from '../prisma/seed/index.ts'
import type { Bucket } from './store/bucket.ts'

/** Fills a migrated database that has no site yet. */
export async function seedDatabase(
  url: string,
  options: Parameters<typeof seed>[1],
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query('SELECT FROM sites LIMIT 1')
  await client.end()
  if (rowCount !== 0) return
  const newsrooms = await import('../prisma/seed/index.ts')
  await newsrooms.seed(url, options)
}

/** Fills a bucket that has no object yet. */
export async function seedBucket(bucket: Bucket): Promise<void> {
  if (bucket.list('', '').length > 0) return
  const { seedObjects } = await import('../prisma/seed/objects.ts')
  for await (const { key, contentType, body } of seedObjects()) {
    await bucket.put(key, contentType, toChunks(body))
  }
}

async function* toChunks(body: Uint8Array) {
  yield body
}
