import * as z from 'zod/mini'
import { toListPath } from '../rendering/route.ts'

/** Instants (milliseconds) before which everything of a host, or one path of it, is void. */
export const PurgeRecord = z.object({
  floor: z.int(),
  paths: z.record(z.string(), z.int()),
})
export type PurgeRecord = z.infer<typeof PurgeRecord>

export const EMPTY_RECORD: PurgeRecord = { floor: 0, paths: {} }

/** Clocks of two machines may be this far apart. */
const CLOCK_MARGIN_MS = 1000
const MAX_PATHS = 1000

/** When an entry was begun, and when the settings that it shows were read. */
export type Origin = { at: number; settingsAt: number }

/** Whether the entry may never be served again; `path` undefined: only the floor concerns it. */
export function isVoid(record: PurgeRecord, path: string | undefined, origin: Origin): boolean {
  const since = pathSince(record, path)
  const begun = Math.min(origin.at, origin.settingsAt)
  return begun < record.floor + marginOf(record.floor) || origin.at < since + marginOf(since)
}

/** The instant since which the path's entries count; a purge moves it. */
export function voidSince(record: PurgeRecord, path: string | undefined): number {
  return Math.max(record.floor, pathSince(record, path))
}

/** The union of what two copies of the record know; at most 1,000 paths, the oldest of more become the floor. */
export function mergeRecords(one: PurgeRecord, other: PurgeRecord): PurgeRecord {
  const paths = { ...one.paths }
  for (const [path, at] of Object.entries(other.paths)) paths[path] = Math.max(at, paths[path] ?? 0)
  return compact({ floor: Math.max(one.floor, other.floor), paths })
}

/** Whether the record already says all that the other one says. */
export function covers(record: PurgeRecord, other: PurgeRecord): boolean {
  const holds = ([path, at]: [string, number]) =>
    record.floor >= at || (record.paths[path] ?? 0) >= at
  return record.floor >= other.floor && Object.entries(other.paths).every(holds)
}

/** The record without the paths that were purged before the instant. */
export function dropBefore(record: PurgeRecord, instant: number): PurgeRecord {
  const kept = Object.entries(record.paths).filter(([, at]) => at >= instant)
  return { floor: record.floor, paths: Object.fromEntries(kept) }
}

function compact({ floor, paths }: PurgeRecord): PurgeRecord {
  const live = Object.entries(paths).filter(([, at]) => at > floor)
  if (live.length <= MAX_PATHS) return { floor, paths: Object.fromEntries(live) }
  live.sort(([, one], [, other]) => other - one)
  const [, oldest] = live[MAX_PATHS] ?? ['', floor]
  return compact({ floor: oldest, paths: Object.fromEntries(live.slice(0, MAX_PATHS)) })
}

const marginOf = (instant: number): number => (instant > 0 ? CLOCK_MARGIN_MS : 0)

// A part of a list is void with it.
function pathSince({ paths }: PurgeRecord, path: string | undefined): number {
  return path === undefined ? 0 : Math.max(paths[path] ?? 0, paths[toListPath(path)] ?? 0)
}
