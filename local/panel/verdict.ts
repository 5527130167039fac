import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../lib/paths.ts'
import type { InspectedEntry, Inspection } from './inspection.ts'

export type PageVerdict = 'fresh' | 'stale' | 'outdated' | 'purged'

/** The part of the worker's copy of the invalidation log on which a verdict depends. */
interface LogCopy {
  /** Sequences by kind and path, such as `purge /a-page`. */
  rows: ReadonlyMap<string, number>
}

/** Exports of `workers/site/cache/entry.ts`. */
interface EntryModule {
  Meta: { safeParse(value: unknown): { success: boolean; data?: unknown } }
  decideVerdict(meta: unknown, logCopy: LogCopy, path: string | undefined, now: number): PageVerdict
}

/**
 * Returns a function that judges a host's entries as its worker does right after it has read the whole
 * invalidation log. The function returns undefined for an entry with invalid metadata.
 */
export async function createJudge({
  invalidations,
}: Inspection): Promise<(entry: InspectedEntry) => PageVerdict | undefined> {
  const { Meta, decideVerdict } = await importEntryModule()
  const rows = new Map(
    invalidations.map(({ path, kind, sequence }) => [`${kind} ${path}`, sequence]),
  )
  return ({ key, metadata }) => {
    const meta = Meta.safeParse(metadata)
    const path = key.slice(key.indexOf(':') + 1)
    return meta.success ? decideVerdict(meta.data, { rows }, path, Date.now()) : undefined
  }
}

// Imports by path, since imports.test.ts allows no static import of a worker.
async function importEntryModule(): Promise<EntryModule> {
  return import(pathToFileURL(join(root, 'workers/site/cache/entry.ts')).href)
}
