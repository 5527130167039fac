import type { Wanted } from '../decide.ts'
import { type Selected, select } from '../request/preconditions.ts'
import type { Visit } from '../request/request-trace.ts'
import type { Read } from '../store/object.ts'
import type { Store } from '../store/store.ts'
import { gather } from '../stream/buffer-up-to.ts'
import { LateError } from '../stream/pipe-to-both.ts'
import { type Filler, HELD_LIMIT } from './cache-fill.ts'
import type { Edge } from './edge.ts'

export type ReaderOptions = { edge: Edge; store: Store; fill: Filler; now: () => number }
/** Work that goes on after the answer. */
export type WaitUntil = (work: Promise<unknown>) => void
export type Reader = (wanted: Wanted, visit: Visit, waitUntil: WaitUntil) => Promise<Selected>

/** Reads what is wanted from the edge cache, or else from the store, which then fills the cache. */
export function createReader({ edge, store, fill, now }: ReaderOptions): Reader {
  return async (wanted, visit, waitUntil) => {
    try {
      const selected = await select((as) => readThrough(wanted, as === 'asked', visit), wanted)
      return selected.type === 'failed' ? selected : keep(selected, wanted, visit, waitUntil)
    } catch (error) {
      return {
        type: 'failed',
        status: error instanceof LateError ? 504 : 502,
        reason: String(error),
      }
    }
  }

  async function readThrough(wanted: Wanted, asAsked: boolean, visit: Visit): Promise<Read> {
    const hit = await timed(visit, 'edge', () => readEdge(wanted, asAsked, visit))
    if (hit) return hit
    const range = asAsked ? wanted.range : undefined
    return timed(visit, 'store', async () => {
      const { answer, attempts } = await store(wanted.key, visit.until, range)
      visit.attempts += attempts
      if (answer.type !== 'found' || answer.size !== undefined) return answer
      return { ...answer, ...(await gather(answer.body, HELD_LIMIT, visit.until - now())) }
    })
  }

  // A cache that fails is a cache that has nothing.
  async function readEdge(wanted: Wanted, asAsked: boolean, { faults }: Visit) {
    try {
      return await edge.read(wanted, asAsked ? wanted : undefined)
    } catch (error) {
      faults.push(`edge: ${error}`)
      return undefined
    }
  }

  function keep(
    selected: Exclude<Selected, { type: 'failed' }>,
    wanted: Wanted,
    visit: Visit,
    waitUntil: WaitUntil,
  ): Selected {
    const isRead = wanted.method === 'GET' && selected.type === 'found'
    if (selected.from === 'edge') {
      if (!isRead && 'body' in selected && selected.body) waitUntil(selected.body.cancel())
      return selected
    }
    if (selected.type === 'missing') {
      visit.fill = 'write'
      waitUntil(edge.writeMissing(wanted.cacheUrl))
      return selected
    }
    const filled = fill(wanted, { ...selected, type: 'found' }, isRead)
    visit.fill = filled.fill
    waitUntil(filled.work)
    return { ...selected, body: filled.body }
  }

  async function timed<T>({ timings }: Visit, name: string, work: () => Promise<T>): Promise<T> {
    const started = now()
    try {
      return await work()
    } finally {
      timings.push({ name, duration: now() - started })
    }
  }
}
