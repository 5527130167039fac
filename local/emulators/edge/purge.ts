import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Port and secret of internal requests to the edge. */
export interface EdgeAddress {
  port: number
  edgeToken: string
}

interface EdgeCache extends EdgeAddress {
  /** Folder of Miniflare's caches. */
  folder: string
}

/** Deletes the entries of the edge cache that have one of the tags; `tags` are in lower case. */
export async function purgeTags(
  { folder, port, edgeToken }: EdgeCache,
  tags: readonly string[],
): Promise<void> {
  const urls = await findUrls(join(folder, 'cache', 'miniflare-CacheObject'), new Set(tags))
  await purgeUrls({ port, edgeToken }, urls)
}

/**
 * Deletes entries of the edge cache by URL.
 *
 * @throws Error when the edge does not respond with success
 */
export async function purgeUrls(
  { port, edgeToken }: EdgeAddress,
  urls: readonly string[],
): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'local-purge-token': edgeToken },
    body: JSON.stringify(urls),
  })
  if (!response.ok) throw new Error(`The edge responded with ${response.status} to a purge.`)
}

// Miniflare stores each entry's URL and headers in SQLite.
async function findUrls(folder: string, tags: ReadonlySet<string>): Promise<string[]> {
  // Miniflare creates the folder with the first entry.
  const files = await readdir(folder).catch(() => [])
  const databases = files.filter((name) => /^[\da-f]+\.sqlite$/.test(name))
  return databases.flatMap((name) => {
    const database = new DatabaseSync(join(folder, name), { readOnly: true })
    try {
      const rows = database.prepare('SELECT key, metadata FROM _mf_entries').all()
      return rows
        .filter(({ metadata }) => hasTag(String(metadata), tags))
        .map(({ key }) => `${key}`)
    } finally {
      database.close()
    }
  })
}

function hasTag(metadata: string, tags: ReadonlySet<string>): boolean {
  const { headers }: { headers?: [string, string][] } = JSON.parse(metadata)
  const [, value = ''] = headers?.find(([name]) => name === 'cache-tag') ?? []
  return value.split(',').some((tag) => tags.has(tag.trim().toLowerCase()))
}
