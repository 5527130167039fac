import { toPageKey, toSettingsKey } from '../cache/kv.ts'
import { toPageUrl } from '../cache/page-entry.ts'
import { toSettingsUrl } from '../cache/settings-entry.ts'
import type { Config } from '../env.ts'
import type { Ports } from '../ports.ts'
import type { Records } from './records.ts'

export type Voids = {
  /** Voids the pages and deletes them; undefined when KV refused, and then the call is to be repeated. */
  paths(paths: readonly string[]): Promise<number | undefined>
  /** Voids all that was begun before the instant; false when KV refused. */
  site(floor: number): Promise<boolean>
  deleteSettings(): Promise<boolean>
  /** Deletes keys of KV; the number of those that could not be deleted. */
  deleteKeys(keys: readonly string[]): Promise<number>
}

const LANES = 6
const DELETE_TRIES = 3
const WRITE_PAUSE_MS = 1100

type Tools = { config: Config; ports: Ports; records: Records }

/** How pages become void: first the purge record, which is all that counts, then what it makes worthless. */
export function createVoid({ config, ports, records }: Tools): Voids {
  return {
    async paths(paths) {
      const now = ports.now()
      const instants = Object.fromEntries(paths.map((path) => [path, now]))
      if (!(await records.raise({ floor: 0, paths: instants }))) return undefined
      const keys = paths
        .map((path) => toPageKey(config.host, path))
        .filter((key) => key !== undefined)
      const [failed] = await Promise.all([
        deleteKeys(keys),
        ...paths.map((path) => deleteEdge(toPageUrl(config.host, path))),
      ])
      return failed ? undefined : paths.length
    },
    async site(floor) {
      return (await records.raise({ floor, paths: {} })) && (await deleteSettings())
    },
    deleteSettings,
    deleteKeys,
  }

  async function deleteSettings(): Promise<boolean> {
    await deleteEdge(toSettingsUrl(config.host))
    return (await deleteKeys([toSettingsKey(config.host)])) === 0
  }

  async function deleteKeys(keys: readonly string[]): Promise<number> {
    const queue = keys.values()
    let failed = 0
    const lane = async () => {
      for (const key of queue) if (!(await deleteKey(key))) failed++
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    return failed
  }

  // KV takes one write a second per key, and a delete is one.
  async function deleteKey(key: string): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      try {
        await ports.kv.delete(key)
        return true
      } catch (error) {
        if (tries === DELETE_TRIES) {
          ports.log('warn', { event: 'void', action: 'kv delete', error: String(error) })
          return false
        }
        await ports.sleep(WRITE_PAUSE_MS)
      }
    }
  }

  // The record has voided this copy already: what is left to gain is its room.
  async function deleteEdge(url: string): Promise<void> {
    await ports.edge.delete(url).catch(() => false)
  }
}
