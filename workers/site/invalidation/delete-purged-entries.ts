import * as z from 'zod/mini'
import { toPageKey, toSettingsKey } from '../keys.ts'
import type { Kv, KvKey, Ports } from '../ports.ts'
import { toPartsPrefix } from '../rendering/list-path.ts'
import type { InvalidationLog } from './log.ts'
import { HOST, type Row, recordCursor, recordDeleted, takeHousekeeping } from './queries.ts'

interface Deps {
  host: string
  ports: Pick<Ports, 'kv' | 'log'>
}

/** `cursor` continues the listing; undefined when the host is done. */
interface Progress {
  deleted: number
  cursor: string | undefined
}

/** KV operations of one invocation; the platform allows 1,000. */
const MAX_OPERATIONS = 900
const ROWS_PER_RUN = 200
const LANES = 6
const Stored = z.object({ sequence: z.int() })

/** Work of the cron trigger: deletes the pages of a purged host, else KV entries older than a settled row. */
export async function keepHouse(deps: Deps, log: InvalidationLog): Promise<void> {
  const { host, rows } = await log.transact(takeHousekeeping(ROWS_PER_RUN))
  if (host) return deleteHost(deps, log, host.sequence, host.cursor ?? undefined).then(() => {})
  const found = await Promise.all(rows.map((row) => findOlder(row, deps)))
  const isDone = await Promise.all(
    found.map(async (keys) => (await deleteKeys(keys, deps)) === keys.length),
  )
  const done = rows.filter((_, index) => isDone[index])
  if (done.length > 0) await log.transact(recordDeleted(done))
}

/** Deletes pages of the host that are older than its purge, and its settings, and records the progress. */
export async function deleteHost(
  deps: Deps,
  log: InvalidationLog,
  sequence: number,
  start?: string,
): Promise<Progress> {
  const progress = await deleteListed(deps, sequence, start)
  const isDone =
    progress.cursor === undefined && (await deleteKeys([toSettingsKey(deps.host)], deps)) === 1
  const row: Row = { path: HOST, kind: 'purge', sequence }
  const record = isDone ? recordDeleted([row]) : recordCursor(progress.cursor || null)
  await log.transact(record).catch((error: unknown) => warn(deps, 'record progress', error))
  return progress
}

/** Deletes keys of KV; returns how many could be deleted. */
export async function deleteKeys(keys: readonly string[], deps: Deps): Promise<number> {
  const queue = keys.values()
  let deleted = 0
  const work = async () => {
    for (const key of queue)
      await deps.ports.kv.delete(key).then(
        () => deleted++,
        (error: unknown) => warn(deps, 'kv delete', error),
      )
  }
  await Promise.all(Array.from({ length: LANES }, work))
  return deleted
}

async function deleteListed(deps: Deps, sequence: number, start?: string): Promise<Progress> {
  let cursor = start
  let deleted = 0
  try {
    for (let left = MAX_OPERATIONS - 20; left > 1; ) {
      const limit = Math.min(1000, left - 1)
      const listed = { prefix: `${deps.host}:`, limit, ...(cursor && { cursor }) }
      const page = await deps.ports.kv.list(listed)
      const old = page.keys.filter((key) => isOlder(key, sequence)).map(({ name }) => name)
      const count = await deleteKeys(old, deps)
      deleted += count
      if (count < old.length) return { deleted, cursor: cursor ?? '' }
      if (page.list_complete) return { deleted, cursor: undefined }
      cursor = page.cursor
      left -= 1 + old.length
    }
  } catch (error) {
    warn(deps, 'kv list', error)
  }
  return { deleted, cursor: cursor ?? '' }
}

// Late writes, failed deletes, and pages without a visit since.
async function findOlder({ path, sequence }: Row, { host, ports }: Deps): Promise<string[]> {
  const key = toPageKey(host, path)
  if (key === undefined) return []
  const { value, metadata } = await ports.kv.getWithMetadata(key)
  const prefix = toPartsPrefix(path)
  const parts = prefix ? await listAll(`${host}:${prefix}`, ports.kv) : []
  const stored = value === null ? parts : [{ name: key, metadata }, ...parts]
  return stored.filter((each) => isOlder(each, sequence)).map(({ name }) => name)
}

async function listAll(prefix: string, kv: Kv): Promise<KvKey[]> {
  const keys: KvKey[] = []
  let cursor: string | undefined
  do {
    const page = await kv.list({ prefix, ...(cursor && { cursor }) })
    keys.push(...page.keys)
    cursor = page.list_complete ? undefined : page.cursor
  } while (cursor)
  return keys
}

function isOlder({ metadata }: KvKey, sequence: number): boolean {
  const stored = Stored.safeParse(metadata)
  return !stored.success || stored.data.sequence < sequence
}

function warn({ ports }: Deps, action: string, error: unknown): void {
  ports.log('warn', { event: 'delete-purged-entries', action, error: String(error) })
}
