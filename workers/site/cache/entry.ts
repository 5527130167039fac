import * as z from 'zod/mini'
import { PAGE_TYPES } from '../../../contract/constants.ts'
import { sha256Hex } from '../../../http/bearer.ts'
import { toWeakEtag } from '../../../http/etag.ts'
import { isVoid, type PurgeRecord } from '../invalidation/record.ts'

const ENTRY_TYPES = [...PAGE_TYPES, 'settings'] as const

/** All that is known of an answer without its body; instants in milliseconds. */
export const Meta = z.object({
  entryType: z.enum(ENTRY_TYPES),
  status: z.int(),
  contentType: z.string(),
  etag: z.string(),
  modified: z.int(),
  at: z.int(),
  settingsAt: z.int(),
  soft: z.int(),
  hard: z.int(),
  build: z.string(),
  headers: z.record(z.string(), z.string()),
})
export type Meta = z.infer<typeof Meta>

/** Paths of the API and the tags that they answered with; null: made of an answer that has none. */
export const Sources = z.nullable(z.array(z.tuple([z.string(), z.string()])))
export type Sources = z.infer<typeof Sources>

export type Entry = { meta: Meta; sources: Sources; body: string }

/** `fresh`: serve. `stale`: serve and refresh. `expired`: serve when the API fails. `void`: never serve. */
export type Verdict = 'fresh' | 'stale' | 'expired' | 'void'

export function judge(
  meta: Meta,
  record: PurgeRecord,
  path: string | undefined,
  now: number,
): Verdict {
  if (isVoid(record, path, meta)) return 'void'
  if (now < meta.soft) return 'fresh'
  return now < meta.hard ? 'stale' : 'expired'
}

/** Short digest of an answer of this build, as a weak tag: a new build answers anew. */
export async function toEtag(body: string, build: string): Promise<string> {
  return toWeakEtag(`${(await sha256Hex(body)).slice(0, 20)}-${build}`)
}
