import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type PublishedObject, readAssets } from '../themes/assets.ts'

export const MEDIA = join(import.meta.dirname, 'media')

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wav': 'audio/wav',
  '.webp': 'image/webp',
}

/** Yields the content of the demo's media buckets: stylesheets and fonts first, then the files of `media/`. */
export async function* readDemoObjects(): AsyncGenerator<PublishedObject> {
  yield* readAssets()
  for (const key of await listMediaKeys()) {
    const contentType = CONTENT_TYPES[extname(key)]
    if (contentType === undefined) throw new Error(`demo/media/${key}: unknown file type`)
    yield { key, contentType, body: await readFile(join(MEDIA, key)) }
  }
}

/** Returns the paths of all files in `media/`, sorted; a path is the object's key. */
export async function listMediaKeys(): Promise<string[]> {
  const entries = await readdir(MEDIA, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(MEDIA.length + 1))
    .sort()
}
