import * as z from 'zod/mini'
import { parseJson } from '../json.ts'
import type { Kv } from '../ports.ts'
import { Dependencies, type Entry, EntryHeaders, Meta } from './entry.ts'

export interface KvStore {
  /** Returns null when there is no value, and undefined for a value that this build cannot parse. */
  get(key: string): Promise<Entry | null | undefined>
  /** @throws Error when the metadata exceeds KV's 1,024 bytes */
  put(key: string, entry: Entry): Promise<void>
  delete(key: string): Promise<void>
}

const EXPIRATION_SECONDS = 30 * 24 * 3600
const MAX_METADATA_BYTES = 1024

/** First line of a value, for what can exceed the size limit of metadata. */
const FirstLine = z.object({ headers: EntryHeaders, dependencies: Dependencies })

/** Stores entries in KV: `meta` as metadata, headers and dependencies in the first line of the value. */
export function createKvStore(kv: Kv): KvStore {
  return {
    async get(key) {
      const { value, metadata } = await kv.getWithMetadata(key)
      if (value === null) return null
      const meta = Meta.safeParse(metadata)
      const lineEnd = value.indexOf('\n')
      const firstLine = parseJson(value.slice(0, lineEnd), FirstLine)
      if (!meta.success || !firstLine) return undefined
      return { meta: meta.data, ...firstLine, body: value.slice(lineEnd + 1) }
    },
    async put(key, { meta, headers, dependencies, body }) {
      const bytes = new TextEncoder().encode(JSON.stringify(meta)).length
      if (bytes > MAX_METADATA_BYTES)
        throw new Error(`Metadata of ${key} has ${bytes} bytes, KV allows ${MAX_METADATA_BYTES}`)
      await kv.put(key, `${JSON.stringify({ headers, dependencies })}\n${body}`, {
        metadata: meta,
        expirationTtl: EXPIRATION_SECONDS,
      })
    },
    delete: (key) => kv.delete(key),
  }
}
