import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withClient } from '../../prisma/connection.ts'
import { listStylesheets } from '../../themes/templates.ts'
import type { Bucket } from '../emulators/s3/bucket.ts'
import { root } from '../lib/paths.ts'

/**
 * Uploads stylesheets to every bucket, and sets the newest version in the sites' settings; returns the keys
 * of the uploaded objects.
 */
export async function reloadStylesheets(
  paths: readonly string[],
  buckets: readonly Bucket[],
  databaseUrls: readonly string[],
): Promise<string[]> {
  const keys = paths.map((path) => path.replace(/^themes\//, ''))
  for (const key of keys) {
    const body = await readFile(join(root, 'themes', key))
    const upload = (bucket: Bucket) => bucket.put(key, 'text/css; charset=utf-8', toChunks(body))
    await Promise.all(buckets.map(upload))
  }
  const newest = new Map((await listStylesheets()).map(({ slug, version }) => [slug, version]))
  for (const url of databaseUrls) {
    await withClient(url, async (client) => {
      for (const [slug, version] of newest) await client.query(USE_VERSION, [slug, version])
    })
  }
  return keys
}

const USE_VERSION = `
  UPDATE site_settings SET css_version = $2 WHERE css_slug = $1 AND css_version <> $2`

async function* toChunks(body: Uint8Array) {
  yield body
}
