import type { Bucket } from './emulators/s3/bucket.ts'

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
