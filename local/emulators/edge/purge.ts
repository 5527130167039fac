import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface PurgeTarget {
  /** Folder of Miniflare's caches. */
  folder: string
  port: number
  /** Shared with the router. */
  cronToken: string
}

/**
 * Deletes the entries of the edge cache that have one of the tags, which are in lower case. Miniflare
 * keeps the headers of each entry; the router deletes entries through the Cache API.
 */
export async function purgeTags(
  { folder, port, cronToken }: PurgeTarget,
  tags: readonly string[],
): Promise<void> {
  const urls = await findUrls(join(folder, 'cache', 'miniflare-CacheObject'), new Set(tags))
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'local-purge-token': cronToken },
    body: JSON.stringify(urls),
  })
  if (!response.ok) throw new Error(`The edge answered ${response.status} to a purge.`)
}

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
