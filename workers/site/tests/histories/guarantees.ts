import type { EdgeDouble } from '../edge.ts'
import { type HistoryIsolate, type HistoryNetwork, HOST, SECOND } from './history-network.ts'

/** After this time a purge has taken effect in every data centre. */
const EFFECTIVE_AFTER_MS = 5 * SECOND
/** A read of D1 fails after a second, and an isolate uses its copy for five more; the rest is tolerance. */
export const RECOVERY_MS = 8 * SECOND
const LOG_URL = `https://${HOST}/__cms/invalidation-log`

/** A successful purge, and the versions of pages that every later visitor must see. */
export interface Purge {
  isolate: HistoryIsolate
  respondedAt: number
  versions: ReadonlyMap<string, number>
  sequence: number
  /** When the log copy of each data centre first contained the purge. Keys are indexes of data centres. */
  inCopySince: Map<number, number>
}

/** A visit of a page. `purges` are those that had succeeded when the request arrived. */
export interface Visit {
  isolate: HistoryIsolate
  path: string
  arrivedAt: number
  shownVersion: number
  purges: readonly Purge[]
  /** D1 has been fast and without faults for at least `RECOVERY_MS` before the request. */
  isD1Reliable: boolean
}

/** Returns a sentence for each purge whose guarantee the visit violates. */
export function findViolations(visit: Visit): string[] {
  const { isolate, path, arrivedAt, shownVersion } = visit
  return visit.purges.flatMap((purge) => {
    const version = purge.versions.get(path)
    if (version === undefined || shownVersion >= version) return []
    const shown = `${path} shows v${shownVersion} instead of v${version}`
    const age = arrivedAt - purge.respondedAt
    if (purge.isolate === isolate) return [`${shown}, ${age} ms after this isolate purged it`]
    if (visit.isD1Reliable && age > EFFECTIVE_AFTER_MS)
      return [`${shown}, ${age} ms after it was purged`]
    const inCopyFor = arrivedAt - (purge.inCopySince.get(isolate.dataCentre) ?? arrivedAt)
    if (inCopyFor > RECOVERY_MS)
      return [
        `${shown}, ${inCopyFor} ms after the log copy of this data centre contained the purge`,
      ]
    return []
  })
}

/** Creates a function that records when the log copy of each data centre first contained each purge. */
export function createCopyRecorder({ clock, dataCentres }: HistoryNetwork) {
  const newestByCopy = new WeakMap<object, number>()

  return (purges: readonly Purge[]): void => {
    for (const [index, { edge }] of dataCentres.entries()) {
      const newest = readNewest(edge)
      for (const { inCopySince, sequence } of purges) {
        if (newest === undefined) inCopySince.delete(index)
        // A purge that disappears from a copy still counts: an older copy must not replace a newer one.
        else if (newest >= sequence && !inCopySince.has(index)) inCopySince.set(index, clock.now())
      }
    }
  }

  function readNewest(edge: EdgeDouble): number | undefined {
    const copy = edge.copies.get(LOG_URL)
    if (!copy) return undefined
    const newest = newestByCopy.get(copy) ?? Number(JSON.parse(copy.body).newest)
    newestByCopy.set(copy, newest)
    return newest
  }
}
