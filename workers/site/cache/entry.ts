import * as z from 'zod/mini'
import { PAGE_TYPES } from '../../../contract/constants.ts'
import { sha256Hex } from '../../../http/bearer.ts'
import { toWeakEtag } from '../../../http/etag.ts'
import type { LogCopy } from '../invalidation/log.ts'
import { HOST, type Row, toKey } from '../invalidation/queries.ts'
import { toListPath } from '../rendering/list-path.ts'

const ENTRY_TYPES = [...PAGE_TYPES, 'settings', 'not_found_page'] as const

/** An entry without its body; times in milliseconds. `sequence`: the newest in the log copy when its rendering began. */
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

/** Paths of API responses with their ETags; null: one of the responses had none. */
export const Dependencies = z.nullable(z.array(z.tuple([z.string(), z.string()])))
export type Dependencies = z.infer<typeof Dependencies>

export const Headers = z.record(z.string(), z.string())

export interface Entry {
  meta: Meta
  headers: Record<string, string>
  dependencies: Dependencies
  body: string
}

/**
 * `fresh`: serve. `stale`: serve, revalidate after the response. `outdated`: revalidate first, and serve
 * only if that fails. `purged`: never serve.
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

/** Returns the newest sequence of the rows for the path, its list and the host, or 0. Without a path, only for the host. */
export function findNewestSequence(
  { rows }: LogCopy,
  path: string | undefined,
  kinds = KINDS,
): number {
  let newest = 0
  for (const each of toLogPaths(path))
    for (const kind of kinds) newest = Math.max(newest, rows.get(toKey(kind, each)) ?? 0)
  return newest
}

function toLogPaths(path: string | undefined): string[] {
  if (path === undefined) return [HOST]
  const list = toListPath(path)
  return list === path ? [HOST, path] : [HOST, path, path.replace(/\/after\/.*/, ''), list]
}

/** Returns a weak tag from a short digest of the body and the build, so that a new build has new tags. */
export async function toEtag(body: string, build: string): Promise<string> {
  return toWeakEtag(`${(await sha256Hex(body)).slice(0, 20)}-${build}`)
}
