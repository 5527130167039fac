import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../lib/paths.ts'
import type { InspectedEntry, Inspection } from './inspection.ts'

export type PageVerdict = 'fresh' | 'stale' | 'outdated' | 'purged'

/** Sequence numbers of a path's newest invalidations; 0: none. */
interface NewestInvalidations {
  purge: number
  change: number
}

/** Exports of `workers/site/cache/entry.ts`. */
interface EntryModule {
  Meta: { safeParse(value: unknown): { success: boolean; data?: unknown } }
  judge(meta: unknown, knowledge: unknown, path: string | undefined, now: number): PageVerdict
}

/**
 * Returns a function that judges a host's entries as its worker does right after it has read the whole
 * invalidation log. The function returns undefined for an entry with invalid metadata.
 */
export async function createJudge({
  invalidations,
  state,
}: Inspection): Promise<(entry: InspectedEntry) => PageVerdict | undefined> {
  const { Meta, judge } = await importEntryModule()
  const rows = new Map<string, NewestInvalidations>()
  for (const { path, kind, sequence } of invalidations)
    rows.set(path, { purge: 0, change: 0, ...rows.get(path), [kind]: sequence })
  const knowledge = { isAuthoritative: true, newest: state?.sequence ?? 0, rows }
  return ({ key, metadata }) => {
    const meta = Meta.safeParse(metadata)
    const path = key.slice(key.indexOf(':') + 1)
    return meta.success ? judge(meta.data, knowledge, path, Date.now()) : undefined
  }
}

// Imported by path: imports.test.ts allows no static import of a worker.
async function importEntryModule(): Promise<EntryModule> {
  return import(pathToFileURL(join(root, 'workers/site/cache/entry.ts')).href)
}
