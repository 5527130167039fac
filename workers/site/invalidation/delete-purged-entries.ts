import * as z from 'zod/mini'
import { toPageKey, toSettingsKey } from '../keys.ts'
import type { KvKey, Ports } from '../ports.ts'
import { toPartsPrefix } from '../rendering/list-path.ts'
import type { InvalidationLog } from './log.ts'
import { pruneAndSelect, type Row, recordCursor, recordDeleted, WHOLE_HOST } from './queries.ts'

interface Deps {
  host: string
  ports: Pick<Ports, 'kv' | 'logEvent'>
}

/** The platform allows 1,000 KV operations in one invocation, and a run needs some for other keys. */
const KEYS_PER_RUN = 880
const ROWS_PER_RUN = 200
const StoredMeta = z.object({ sequence: z.int() })

/** Deletes pages of a purged host, or else KV entries that are older than settled rows (`SETTLED_MS`). */
export async function runHousekeeping(deps: Deps, log: InvalidationLog): Promise<void> {
  const rows = await log.transact(pruneAndSelect(ROWS_PER_RUN))
  const hostRow = rows.find(({ path }) => path === WHOLE_HOST)
  if (hostRow) {
    await deleteHost(deps, log, hostRow.sequence, hostRow.cursor ?? undefined)
    return
  }
  const finished: Row[] = []
  const deleteOlder = async (row: Row) => {
    const keys = await findOlderKeys(row, deps)
    if ((await deleteKeys(keys, deps.ports)) === keys.length) finished.push(row)
  }
  await Promise.all(rows.map(deleteOlder))
  if (finished.length > 0) await log.transact(recordDeleted(finished))
}

/** Deletes up to 880 pages of a purged host that are older than `sequence`, and after the last its settings. */
export async function deleteHost(
  deps: Deps,
  log: InvalidationLog,
  sequence: number,
  cursor?: string,
): Promise<{ deleted: number; complete: boolean }> {
  const { host, ports } = deps
  const options = { prefix: `${host}:`, limit: KEYS_PER_RUN, ...(cursor && { cursor }) }
  const page = await ports.kv.list(options).catch((error: unknown) => warn(ports, 'list', error))
  const oldKeys = page?.keys.filter((key) => isOlder(key, sequence)).map(({ name }) => name) ?? []
  const deleted = await deleteKeys(oldKeys, ports)
  const isDone = page !== undefined && deleted === oldKeys.length
  const next = isDone && !page.list_complete ? page.cursor : cursor
  const complete =
    isDone && page.list_complete && (await deleteKeys([toSettingsKey(host)], ports)) === 1
  const row: Row = { path: WHOLE_HOST, kind: 'purge', sequence }
  const record = complete ? recordDeleted([row]) : recordCursor(next ?? null)
  await log.transact(record).catch((error: unknown) => warn(ports, 'record progress', error))
  return { deleted, complete }
}

/** Deletes KV keys (the platform runs six operations at a time); returns the number of deleted keys. */
export async function deleteKeys(keys: readonly string[], ports: Deps['ports']): Promise<number> {
  const results = await Promise.allSettled(keys.map((key) => ports.kv.delete(key)))
  const failed = results.filter((result) => result.status === 'rejected')
  if (failed[0]) warn(ports, 'delete', failed[0].reason)
  return keys.length - failed.length
}

// Returns keys of entries older than the row: late writes, failed deletes, or pages without a visitor since.
async function findOlderKeys({ path, sequence }: Row, { host, ports }: Deps): Promise<string[]> {
  const key = toPageKey(host, path)
  if (key === undefined) return []
  const { value, metadata } = await ports.kv.getWithMetadata(key)
  const stored: KvKey[] = value === null ? [] : [{ name: key, metadata }]
  const prefix = toPartsPrefix(path)
  let cursor = prefix === undefined ? undefined : ''
  while (cursor !== undefined) {
    const page = await ports.kv.list({ prefix: `${host}:${prefix}`, ...(cursor && { cursor }) })
    stored.push(...page.keys)
    cursor = page.list_complete ? undefined : page.cursor
  }
  return stored.filter((each) => isOlder(each, sequence)).map(({ name }) => name)
}

function isOlder({ metadata }: KvKey, sequence: number): boolean {
  const stored = StoredMeta.safeParse(metadata)
  return !stored.success || stored.data.sequence < sequence
}

function warn(ports: Deps['ports'], action: string, error: unknown): undefined {
  ports.logEvent('warn', { event: 'delete-purged-entries', action, error: String(error) })
}
