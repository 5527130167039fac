import type { Kv, KvPage } from '../ports.ts'
import type { Clock } from './clock.ts'

type Version = { at: number; from: string; value: string | null; metadata: unknown }
type CachedRead = { until: number; value: string | null; metadata: unknown }

type KvFaults = {
  /** Milliseconds until other data centres can see a write. */
  propagation: number
  /** Whether a miss stays cached even where the key was written since. */
  remembersMisses: boolean
  /** Milliseconds of each operation. */
  latency: number
  failing: boolean | ((operation: string, key: string) => boolean)
  /** Operations left before KV rejects further ones. */
  quota: number
  /** Milliseconds until a write arrives; undefined: it is lost. */
  delay: () => number | undefined
}

export type KvDouble = {
  faults: KvFaults
  operations: number
  written: ReadonlyMap<string, Version[]>
  /** Returns the namespace as one data centre sees it. */
  viewFrom(dataCentre: string): Kv
  seed(key: string, value: string, metadata: unknown): void
}

const CACHE_MS = 60_000
const WRITE_PAUSE_MS = 1000
const MAX_KEY_BYTES = 512
const MAX_METADATA_BYTES = 1024

/**
 * Creates a double of Workers KV with its documented limits: writes are visible in other data centres later, each data
 * centre caches reads and misses, a key can be written once a second, and the last write counts.
 */
export function createKvDouble(clock: Pick<Clock, 'now' | 'sleep'>): KvDouble {
  const written = new Map<string, Version[]>()
  const double: KvDouble = {
    faults: {
      propagation: 60_000,
      remembersMisses: false,
      latency: 0,
      failing: false,
      quota: Number.POSITIVE_INFINITY,
      delay: () => 0,
    },
    operations: 0,
    written,
    viewFrom: openIn,
    seed: (key, value, metadata) => written.set(key, [{ at: 0, from: '', value, metadata }]),
  }
  return double

  function openIn(dataCentre: string): Kv {
    const cachedReads = new Map<string, CachedRead>()
    const read = async (key: string): Promise<CachedRead> => {
      await operate('get', key)
      const cached = cachedReads.get(key)
      if (cached && cached.until > clock.now()) return cached
      const version = visible(key, dataCentre)
      const { value = null, metadata = null } = version ?? {}
      const fresh = { until: clock.now() + CACHE_MS, value, metadata }
      cachedReads.set(key, fresh)
      return fresh
    }
    const write = async (
      operation: string,
      key: string,
      value: string | null,
      metadata: unknown,
    ) => {
      await operate(operation, key)
      if (clock.now() - (written.get(key)?.at(-1)?.at ?? 0) < WRITE_PAUSE_MS)
        throw new Error('429 Too Many Requests')
      const arrive = () => {
        const versions = written.get(key) ?? []
        const now = clock.now()
        // Versions that no data centre can see any more are deleted.
        const kept = versions.filter(
          (one, index) => index >= versions.length - 4 || now - one.at < 120_000,
        )
        written.set(key, [...kept, { at: now, from: dataCentre, value, metadata }])
        if (cachedReads.get(key)?.value !== null || !double.faults.remembersMisses)
          cachedReads.delete(key)
      }
      const delay = double.faults.delay()
      if (delay === 0) arrive()
      else if (delay !== undefined) void clock.sleep(delay).then(arrive)
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
        await operate('list', prefix)
        const names = [...written.keys()].filter((name) => name.startsWith(prefix)).toSorted()
        const start = cursor ? names.findIndex((name) => name > cursor) : 0
        const keys = []
        for (const name of start < 0 ? [] : names.slice(start)) {
          const version = visible(name, dataCentre)
          if (!version || version.value === null) continue
          if (keys.length === limit)
            return { keys, list_complete: false, cursor: keys.at(-1)?.name ?? '' }
          keys.push({ name, metadata: version.metadata })
        }
        return { keys, list_complete: true }
      },
    }
  }

  function visible(key: string, dataCentre: string): Version | undefined {
    const horizon = clock.now() - double.faults.propagation
    return written.get(key)?.findLast(({ at, from }) => from === dataCentre || at <= horizon)
  }

  async function operate(operation: string, key: string): Promise<void> {
    double.operations++
    const { latency, failing, quota } = double.faults
    if (latency > 0) await clock.sleep(latency)
    if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new Error('414 key too long')
    if (double.operations > quota) throw new Error('429 over quota')
    if (typeof failing === 'function' ? failing(operation, key) : failing)
      throw new Error('KV fails')
  }
}
