import type { Kv, KvPage } from '../ports.ts'
import type { Clock } from './clock.ts'

type Version = { writtenAt: number; writtenIn: string; value: string | null; metadata: unknown }
type CachedRead = { expiresAt: number; value: string | null; metadata: unknown }

type KvFaults = {
  /** Milliseconds until other data centres can see a write. */
  propagationMs: number
  /** Whether a cached miss stays cached in the data centre that writes the key. */
  keepsCachedMisses: boolean
  /** Duration of an operation in milliseconds. */
  latency: number
  /** Whether an operation is rejected. */
  failing: boolean | ((operation: string, key: string) => boolean)
  /** Number of operations after which KV rejects further ones. */
  quota: number
  /** Milliseconds until a write takes effect; undefined: it is lost. */
  writeDelay: () => number | undefined
}

export type KvDouble = {
  faults: KvFaults
  operations: number
  written: ReadonlyMap<string, Version[]>
  /** The namespace as one data centre sees it. */
  viewFrom(dataCentre: string): Kv
  /** Stores a value that every data centre sees at once. */
  seed(key: string, value: string, metadata: unknown): void
}

const CACHE_MS = 60_000
const WRITE_PAUSE_MS = 1000
const MAX_KEY_BYTES = 512
const MAX_METADATA_BYTES = 1024

/**
 * Simulates Workers KV with its documented delays: other data centres see a write later, each data
 * centre caches reads and misses, a key accepts one write a second, and the last write wins.
 */
export function createKvDouble(clock: Pick<Clock, 'now' | 'sleep'>): KvDouble {
  const written = new Map<string, Version[]>()
  const double: KvDouble = {
    faults: {
      propagationMs: 60_000,
      keepsCachedMisses: false,
      latency: 0,
      failing: false,
      quota: Number.POSITIVE_INFINITY,
      writeDelay: () => 0,
    },
    operations: 0,
    written,
    viewFrom,
    seed: (key, value, metadata) =>
      written.set(key, [{ writtenAt: 0, writtenIn: '', value, metadata }]),
  }
  return double

  function viewFrom(dataCentre: string): Kv {
    const cachedReads = new Map<string, CachedRead>()
    const read = async (key: string): Promise<CachedRead> => {
      await startOperation('get', key)
      const cached = cachedReads.get(key)
      if (cached && cached.expiresAt > clock.now()) return cached
      const version = findVisible(key, dataCentre)
      const { value = null, metadata = null } = version ?? {}
      const uncached = { expiresAt: clock.now() + CACHE_MS, value, metadata }
      cachedReads.set(key, uncached)
      return uncached
    }
    const write = async (
      operation: string,
      key: string,
      value: string | null,
      metadata: unknown,
    ) => {
      await startOperation(operation, key)
      if (clock.now() - (written.get(key)?.at(-1)?.writtenAt ?? 0) < WRITE_PAUSE_MS)
        throw new Error('429 Too Many Requests')
      const store = () => {
        const versions = written.get(key) ?? []
        const now = clock.now()
        // Deletes versions that no data centre can see any more.
        const kept = versions.filter(
          ({ writtenAt }, index) => index >= versions.length - 4 || now - writtenAt < 120_000,
        )
        written.set(key, [...kept, { writtenAt: now, writtenIn: dataCentre, value, metadata }])
        if (cachedReads.get(key)?.value !== null || !double.faults.keepsCachedMisses)
          cachedReads.delete(key)
      }
      const delay = double.faults.writeDelay()
      if (delay === 0) store()
      else if (delay !== undefined) void clock.sleep(delay).then(store)
    }
    return {
      get: async (key) => (await read(key)).value,
      getWithMetadata: read,
      put: async (key, value, { metadata = null } = {}) => {
        if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES)
          throw new Error('413 metadata too large')
        await write('put', key, value, metadata)
      },
      delete: (key) => write('delete', key, null, null),
      list: async ({ prefix, cursor, limit = 1000 }): Promise<KvPage> => {
        await startOperation('list', prefix)
        const names = [...written.keys()].filter((name) => name.startsWith(prefix)).toSorted()
        const firstIndex = cursor ? names.findIndex((name) => name > cursor) : 0
        const keys = []
        for (const name of firstIndex < 0 ? [] : names.slice(firstIndex)) {
          const version = findVisible(name, dataCentre)
          if (!version || version.value === null) continue
          if (keys.length === limit)
            return { keys, list_complete: false, cursor: keys.at(-1)?.name ?? '' }
          keys.push({ name, metadata: version.metadata })
        }
        return { keys, list_complete: true }
      },
    }
  }

  function findVisible(key: string, dataCentre: string): Version | undefined {
    const visibleUntil = clock.now() - double.faults.propagationMs
    return written
      .get(key)
      ?.findLast(
        ({ writtenAt, writtenIn }) => writtenIn === dataCentre || writtenAt <= visibleUntil,
      )
  }

  async function startOperation(operation: string, key: string): Promise<void> {
    double.operations++
    const { latency, failing, quota } = double.faults
    if (latency > 0) await clock.sleep(latency)
    if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new Error('414 key too long')
    if (double.operations > quota) throw new Error('429 over quota')
    if (typeof failing === 'function' ? failing(operation, key) : failing)
      throw new Error('KV fails')
  }
}
