import { MAX_URLS } from '../../../contract/purge.ts'
import { Meta } from '../cache/entry.ts'
import { toPageKey } from '../cache/kv.ts'
import type { Config } from '../env.ts'
import type { Kv, KvKey, KvPage, Ports } from '../ports.ts'
import { toPartsPrefix } from '../rendering/route.ts'
import type { Voids } from './invalidator.ts'
import { isVoid, type PurgeRecord } from './record.ts'
import type { Records } from './records.ts'

/** `list`: where the listing goes on; undefined: nothing is left. */
export type Progress = { deleted: number; list: string | undefined }

type KvPorts = Pick<Ports, 'kv' | 'log'>
type Tools = { config: Config; ports: Ports; records: Records; voids: Voids }

const OPERATIONS = 880
const PAGE_KEYS = 1000
/** Of one run of the cron: no less than the paths of one purge, which have one instant. */
const SETTLED_PATHS = MAX_URLS
const SETTLED_DELETES = 200
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

/**
 * Lets go of paths purged long ago, once the late writes of renders that were slower than the purge are gone,
 * and what KV keeps of the parts of lists. What is too much for one run is left to the next.
 */
export async function forgetSettled({ config, ports, records, voids }: Tools): Promise<void> {
  const record = records.peek()
  const { paths, before } = findSettled(record, ports.now() - SETTLED_MS)
  const found = await Promise.all(
    paths.map((path) => findDoomed(path, record, config.host, ports.kv)),
  )
  const doomed = found.flat()
  const failed = await voids.deleteKeys(doomed.slice(0, SETTLED_DELETES))
  const done = failed === 0 && doomed.length <= SETTLED_DELETES
  if (done && paths.length > 0) await records.forget(before)
}

// The oldest first: those that were purged before an instant are let go of together.
function findSettled({ paths }: PurgeRecord, settled: number): { paths: string[]; before: number } {
  const oldest = Object.entries(paths)
    .filter(([, at]) => at < settled)
    .toSorted(([, one], [, other]) => one - other)
  const [, before] = oldest[SETTLED_PATHS] ?? ['', settled]
  return { paths: oldest.filter(([, at]) => at < before).map(([path]) => path), before }
}

async function findDoomed(
  path: string,
  record: PurgeRecord,
  host: string,
  kv: Kv,
): Promise<string[]> {
  const key = toPageKey(host, path)
  if (key === undefined) return []
  const { value, metadata } = await kv.getWithMetadata(key)
  const prefix = toPartsPrefix(path)
  const parts = prefix ? await listAll(`${host}:${prefix}`, kv) : []
  const kept = value === null ? parts : [{ name: key, metadata }, ...parts]
  return kept
    .filter((one) => isDoomed(one.metadata, record, one.name.slice(host.length + 1)))
    .map(({ name }) => name)
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
