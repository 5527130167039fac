import * as z from 'zod/mini'
import { toPageKey, toSettingsKey } from '../keys.ts'
import type { KvKey, Ports } from '../ports.ts'
import { toPartsPrefix } from '../rendering/list-path.ts'
import type { InvalidationLog } from './log.ts'
import { HOST, type Row, recordCursor, recordDeleted, selectHousekeeping } from './queries.ts'

interface Deps {
  host: string
  ports: Pick<Ports, 'kv' | 'log'>
}

/** The platform allows 1,000 KV operations in one invocation. */
const KEYS_PER_RUN = 880
const ROWS_PER_RUN = 200
const Stored = z.object({ sequence: z.int() })

/** Runs in the cron trigger: deletes pages of a purged host, otherwise KV entries older than a settled row. */
export async function runHousekeeping(deps: Deps, log: InvalidationLog): Promise<void> {
  const rows = await log.transact(selectHousekeeping(ROWS_PER_RUN))
  const hostRow = rows.find(({ path }) => path === HOST)
  if (hostRow) {
    await deleteHost(deps, log, hostRow.sequence, hostRow.cursor ?? undefined)
    return
  }
  const finished: Row[] = []
  const deleteOlder = async (row: Row) => {
    const keys = await findOlder(row, deps)
    if ((await deleteKeys(keys, deps)) === keys.length) finished.push(row)
  }
  await Promise.all(rows.map(deleteOlder))
  if (finished.length > 0) await log.transact(recordDeleted(finished))
}

/** Deletes the next pages of the host that are older than its purge, last its settings, and records the progress. */
export async function deleteHost(
  deps: Deps,
  log: InvalidationLog,
  sequence: number,
  cursor?: string,
): Promise<{ deleted: number; complete: boolean }> {
  const { host, ports } = deps
  const options = { prefix: `${host}:`, limit: KEYS_PER_RUN, ...(cursor && { cursor }) }
  const page = await ports.kv.list(options).catch((error: unknown) => warn(deps, 'list', error))
  const oldKeys = page?.keys.filter((key) => isOlder(key, sequence)).map(({ name }) => name) ?? []
  const deleted = await deleteKeys(oldKeys, deps)
  const isDone = page !== undefined && deleted === oldKeys.length
  const next = isDone && !page.list_complete ? page.cursor : cursor
  const complete =
    isDone && page.list_complete && (await deleteKeys([toSettingsKey(host)], deps)) === 1
  const row: Row = { path: HOST, kind: 'purge', sequence }
  const record = complete ? recordDeleted([row]) : recordCursor(next ?? null)
  await log.transact(record).catch((error: unknown) => warn(deps, 'record progress', error))
  return { deleted, complete }
}

/** Deletes KV keys, six at a time (a limit of the platform); returns the number of deleted keys. */
export async function deleteKeys(keys: readonly string[], deps: Deps): Promise<number> {
  const results = await Promise.allSettled(keys.map((key) => deps.ports.kv.delete(key)))
  const failed = results.filter((result) => result.status === 'rejected')
  for (const { reason } of failed.slice(0, 1)) warn(deps, 'delete', reason)
  return keys.length - failed.length
}

// Finds entries of late writes and failed deletes, and those that no visitor has revalidated since.
async function findOlder({ path, sequence }: Row, { host, ports }: Deps): Promise<string[]> {
  const key = toPageKey(host, path)
  if (key === undefined) return []
  const { value, metadata } = await ports.kv.getWithMetadata(key)
  const stored: KvKey[] = value === null ? [] : [{ name: key, metadata }]
  const prefix = toPartsPrefix(path)
  let cursor: string | undefined = prefix && ''
  while (cursor !== undefined) {
    const page = await ports.kv.list({ prefix: `${host}:${prefix}`, ...(cursor && { cursor }) })
    stored.push(...page.keys)
    cursor = page.list_complete ? undefined : page.cursor
  }
  return stored.filter((each) => isOlder(each, sequence)).map(({ name }) => name)
}

function isOlder({ metadata }: KvKey, sequence: number): boolean {
  const stored = Stored.safeParse(metadata)
  return !stored.success || stored.data.sequence < sequence
}

function warn({ ports }: Deps, action: string, error: unknown): undefined {
  ports.log('warn', { event: 'delete-purged-entries', action, error: String(error) })
}
