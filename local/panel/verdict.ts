import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../lib/paths.ts'
import type { InspectedEntry, Inspection } from './inspection.ts'

export type PageVerdict = 'fresh' | 'stale' | 'outdated' | 'purged'

/** Exports of `workers/site/cache/entry.ts`. */
interface EntryModule {
  Meta: { safeParse(value: unknown): { success: boolean; data?: unknown } }
  judge(
    meta: unknown,
    logCopy: { rows: ReadonlyMap<string, number> },
    path: string | undefined,
    now: number,
  ): PageVerdict
}

/** Export of `workers/site/invalidation/queries.ts`. */
interface QueriesModule {
  /** Returns the key of an invalidation in a copy of the log. */
  toKey(kind: string, path: string): string
}

/**
 * Returns a function that judges a host's entries as its worker does right after it has read the whole
 * invalidation log. The function returns undefined for an entry with invalid metadata.
 */
export async function createJudge({
  invalidations,
}: Inspection): Promise<(entry: InspectedEntry) => PageVerdict | undefined> {
  const { Meta, judge } = await importFromWorker<EntryModule>('cache/entry.ts')
  const { toKey } = await importFromWorker<QueriesModule>('invalidation/queries.ts')
  const rows = new Map(
    invalidations.map(({ path, kind, sequence }) => [toKey(kind, path), sequence]),
  )
  return ({ key, metadata }) => {
    const meta = Meta.safeParse(metadata)
    const path = key.slice(key.indexOf(':') + 1)
    return meta.success ? judge(meta.data, { rows }, path, Date.now()) : undefined
  }
}

// Imports by path, since imports.test.ts allows no static import of a worker.
async function importFromWorker<Module>(file: string): Promise<Module> {
  return import(pathToFileURL(join(root, 'workers/site', file)).href)
}
