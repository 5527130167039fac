import type { Kv } from '../ports.ts'
import { type Entry, Meta, Sources } from './entry.ts'
import { parseJson } from './json.ts'

export type KvStore = {
  /** Null: nothing is there. Undefined: nothing that this build can read. */
  get(key: string): Promise<Entry | null | undefined>
  put(key: string, entry: Entry): Promise<void>
  delete(key: string): Promise<void>
}

const KEPT_SECONDS = 30 * 24 * 3600
const MAX_KEY_BYTES = 512

/** The KV key of a page; undefined when KV takes no key that long. Canonical paths are ASCII. */
export function toPageKey(host: string, path: string): string | undefined {
  const key = `${host}:${path}`
  return key.length <= MAX_KEY_BYTES ? key : undefined
}

export const toSettingsKey = (host: string): string => `site:${host}`

/** Entries in KV: metadata without body as KV's metadata, sources on the first line of the value. */
export function createKvStore(kv: Kv): KvStore {
  return {
    async get(key) {
      const { value, metadata } = await kv.getWithMetadata(key)
      if (value === null) return null
      const meta = Meta.safeParse(metadata)
      if (!meta.success) return undefined
      const line = value.indexOf('\n')
      const sources = parseJson(value.slice(0, line), Sources) ?? null
      return { meta: meta.data, sources, body: value.slice(line + 1) }
    },
    put: (key, { meta, sources, body }) =>
      kv.put(key, `${JSON.stringify(sources)}\n${body}`, {
        metadata: meta,
        expirationTtl: KEPT_SECONDS,
      }),
    delete: (key) => kv.delete(key),
  }
}
