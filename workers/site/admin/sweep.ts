import { Meta } from '../cache/entry.ts'
import { toPageKey } from '../cache/kv.ts'
import { isVoid, type PurgeRecord } from '../cache/record.ts'
import type { Records } from '../cache/records.ts'
import type { Kv, KvPage, Ports } from '../ports.ts'
import type { Voids } from './void.ts'

/** `list`: where the listing goes on; undefined: nothing is left. */
export type Progress = { deleted: number; list: string | undefined }

type KvPorts = Pick<Ports, 'kv' | 'log'>

const OPERATIONS = 880
const PAGE_KEYS = 1000
/** So long after its purge nothing that was begun before is still being written. */
const SETTLED_MS = 10 * 60_000

/**
 * Deletes the pages of the host that were begun before the floor, as far as one invocation may go;
 * pages rendered since are spared. Where KV fails, the progress ends.
 */
export async function deleteVoidPages(
  start: { floor: number; list?: string | undefined },
  host: string,
  ports: KvPorts,
  voids: Voids,
): Promise<Progress> {
  const record: PurgeRecord = { floor: start.floor, paths: {} }
  let { list } = start
  let deleted = 0
  for (let left = OPERATIONS; left > 1; ) {
    const limit = Math.min(PAGE_KEYS, left - 1)
    const from = { prefix: `${host}:`, limit, ...(list && { cursor: list }) }
    const page = await listKeys(from, ports)
    if (!page) return { deleted, list: list ?? '' }
    const doomed = page.keys.filter(({ metadata }) => isDoomed(metadata, record, undefined))
    const failed = await voids.deleteKeys(doomed.map(({ name }) => name))
    deleted += doomed.length - failed
    if (failed > 0) return { deleted, list: list ?? '' }
    if (page.list_complete) return { deleted, list: undefined }
    list = page.cursor
    left -= 1 + doomed.length
  }
  return { deleted, list }
}

/** Lets go of paths purged long ago, once the late writes of renders that were slower than the purge are gone. */
export async function forgetSettled(
  records: Records,
  host: string,
  kv: Kv,
  voids: Voids,
  now: number,
): Promise<void> {
  const record = records.peek()
  const before = now - SETTLED_MS
  const settled = Object.keys(record.paths).filter((path) => (record.paths[path] ?? now) < before)
  if (settled.length === 0) return
  const keys = await Promise.all(
    settled.map(async (path) => {
      const key = toPageKey(host, path)
      if (key === undefined) return []
      const { value, metadata } = await kv.getWithMetadata(key)
      return value !== null && isDoomed(metadata, record, path) ? [key] : []
    }),
  )
  if ((await voids.deleteKeys(keys.flat())) === 0) await records.forget(before)
}

async function listKeys(
  from: Parameters<Kv['list']>[0],
  { kv, log }: KvPorts,
): Promise<KvPage | undefined> {
  try {
    return await kv.list(from)
  } catch (error) {
    log('warn', { event: 'void', action: 'kv list', error: String(error) })
    return undefined
  }
}

function isDoomed(metadata: unknown, record: PurgeRecord, path: string | undefined): boolean {
  const meta = Meta.safeParse(metadata)
  return !meta.success || isVoid(record, path, meta.data)
}
