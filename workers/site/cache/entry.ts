import * as z from 'zod/mini'
import { PAGE_TYPES } from '../../../contract/constants.ts'
import { sha256Hex } from '../../../http/bearer.ts'
import { toWeakEtag } from '../../../http/etag.ts'
import type { LogCopy } from '../invalidation/log.ts'
import { type Row, toKey, WHOLE_HOST } from '../invalidation/queries.ts'
import { toListPath } from '../rendering/list-path.ts'

const ENTRY_TYPES = [...PAGE_TYPES, 'settings', 'not_found_page'] as const

/**
 * Fields of an entry; times are in milliseconds. `lastModified` is when its body was rendered, `renderedAt`
 * when it was rendered or revalidated. Rows of the invalidation log up to `sequence` do not affect it.
 */
export const Meta = z.object({
  entryType: z.enum(ENTRY_TYPES),
  status: z.int(),
  contentType: z.string(),
  etag: z.string(),
  lastModified: z.int(),
  renderedAt: z.int(),
  freshUntil: z.int(),
  staleUntil: z.int(),
  sequence: z.int(),
  build: z.string(),
})
export type Meta = z.infer<typeof Meta>

/** API responses that an entry was rendered from, as path and ETag. Null when one of them has no ETag. */
export const Dependencies = z.nullable(z.array(z.tuple([z.string(), z.string()])))
export type Dependencies = z.infer<typeof Dependencies>

export const EntryHeaders = z.record(z.string(), z.string())

export interface Entry {
  meta: Meta
  headers: Record<string, string>
  dependencies: Dependencies
  body: string
}

/**
 * Whether an entry may be served. `fresh`: serve it. `stale`: serve it, and revalidate it after the
 * response. `outdated`: revalidate it first, and serve it only if that fails or takes too long.
 * `purged`: never serve it.
 */
export type Verdict = 'fresh' | 'stale' | 'outdated' | 'purged'

/** Returns the verdict on an entry. Without a path, only invalidations of the host affect it. */
export function decideVerdict(
  { sequence, freshUntil, staleUntil }: Meta,
  logCopy: LogCopy,
  path: string | undefined,
  now: number,
): Verdict {
  if (sequence < findNewestSequence(logCopy, path)) {
    const isPurged = sequence < findNewestSequence(logCopy, path, ['purge'])
    return isPurged ? 'purged' : 'outdated'
  }
  if (now >= staleUntil) return 'outdated'
  return now < freshUntil ? 'fresh' : 'stale'
}

const KINDS: readonly Row['kind'][] = ['purge', 'change']

/** Returns the newest sequence of the rows that affect a path, or of the host without a path; 0: none. */
export function findNewestSequence(
  { rows }: LogCopy,
  path: string | undefined,
  kinds = KINDS,
): number {
  let newest = 0
  for (const rowPath of toRowPaths(path))
    for (const kind of kinds) newest = Math.max(newest, rows.get(toKey(kind, rowPath)) ?? 0)
  return newest
}

// A part of a list is affected with its list: a later page of a month, with the month and with the archive.
function toRowPaths(path: string | undefined): string[] {
  if (path === undefined) return [WHOLE_HOST]
  const list = toListPath(path)
  const paths = list === path ? [path] : [path, path.replace(/\/after\/.*/, ''), list]
  return [WHOLE_HOST, ...paths]
}

/** Returns a weak ETag that consists of a short digest of the body, and the build. */
export async function toEtag(body: string, build: string): Promise<string> {
  return toWeakEtag(`${(await sha256Hex(body)).slice(0, 20)}-${build}`)
}
