import * as z from 'zod/mini'
import { parseJson } from '../json.ts'
import type { Kv } from '../ports.ts'
import { Dependencies, type Entry, Headers, Meta } from './entry.ts'

export interface KvStore {
  /** Returns null when there is no value, and undefined when this build cannot read it. */
  get(key: string): Promise<Entry | null | undefined>
  /** @throws Error when the metadata exceeds KV's 1,024 bytes */
  put(key: string, entry: Entry): Promise<void>
  delete(key: string): Promise<void>
}

const EXPIRATION_SECONDS = 30 * 24 * 3600
const MAX_METADATA_BYTES = 1024

/** First line of a value; it can exceed the size limit of metadata. */
const Head = z.object({ headers: Headers, dependencies: Dependencies })

/** Stores entries in KV: fields of fixed size as metadata, headers and dependencies in the first line of the value. */
export function createKvStore(kv: Kv): KvStore {
  return {
    async get(key) {
      const { value, metadata } = await kv.getWithMetadata(key)
      if (value === null) return null
      const meta = Meta.safeParse(metadata)
      const line = value.indexOf('\n')
      const head = parseJson(value.slice(0, line), Head)
      if (!meta.success || !head) return undefined
      return { meta: meta.data, ...head, body: value.slice(line + 1) }
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
