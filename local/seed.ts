import type { seed } from '../demo/index.ts'
import { withClient } from '../prisma/connection.ts'
import type { Bucket } from './emulators/s3/bucket.ts'

/** Writes the demo's rows to a migrated database, unless it has a site already. */
export async function seedDatabase(
  url: string,
  options: Parameters<typeof seed>[1],
): Promise<void> {
  const sites = await withClient(url, (client) => client.query('SELECT FROM sites LIMIT 1'))
  if (sites.rowCount !== 0) return
  const demo = await import('../demo/index.ts')
  await demo.seed(url, options)
}

// Written last: a bucket without this object was not seeded completely.
const LAST_KEY = '.seeded'

/** Writes the demo's objects to the buckets that do not have them; reads each object only once. */
export async function seedBuckets(buckets: readonly Bucket[]): Promise<void> {
  const unseeded = buckets.filter((bucket) => !bucket.find(LAST_KEY))
  if (unseeded.length === 0) return
  const { readDemoObjects } = await import('../demo/objects.ts')
  const put = (key: string, contentType: string, body: Uint8Array) =>
    Promise.all(unseeded.map((bucket) => bucket.put(key, contentType, toChunks(body))))
  for await (const { key, contentType, body } of readDemoObjects())
    await put(key, contentType, body)
  await put(LAST_KEY, 'text/plain', new Uint8Array())
}

async function* toChunks(body: Uint8Array) {
  yield body
}
