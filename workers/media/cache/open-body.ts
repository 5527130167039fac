import type { Part } from '../../../http/content-range.ts'
import type { Body } from '../object.ts'
import type { RequestTrace } from '../request/request-trace.ts'
import { copyPieces, type Piece } from '../stream/copy-pieces.ts'
import type { EdgeCache } from './edge-cache.ts'
import { type Loader, ObjectChangedError, type WaitUntil } from './loader.ts'
import { type SizedHead, SLICE_BYTES, toUnit } from './unit.ts'

/** A stream whose readable side promises `length` bytes, where that is known. */
export type CreatePipe = (length: number) => {
  readable: ReadableStream<Uint8Array>
  writable: WritableStream<Uint8Array>
}
export interface BodyDeps {
  edge: EdgeCache
  loader: Loader
  createPipe: CreatePipe
  chunkMs: number
}

// https://developers.cloudflare.com/workers/platform/limits/#subrequests: 10,000 an invocation, of
// which a slice takes a match, up to three attempts of a read, and a put.
const MAX_BYTES = 2_000 * SLICE_BYTES

/**
 * Opens bytes of an object: of each unit from memory, from the edge cache, or from the store into
 * both. The first unit is opened before this returns.
 * @throws ObjectChangedError, StoreError, DeadlineError
 */
export async function openBody(
  deps: BodyDeps,
  { cacheUrl, head, part }: { cacheUrl: string; head: SizedHead; part: Part | undefined },
  trace: RequestTrace,
  waitUntil: WaitUntil,
): Promise<Body> {
  const { edge, loader, createPipe, chunkMs } = deps
  const progressMs = chunkMs + 1000
  const { start, end } = part ?? { start: 0, end: head.size - 1 }
  if (start > end) return null
  let previousUrl: string | undefined
  const open = async (position: number): Promise<Piece> => {
    const unit = toUnit(cacheUrl, head, position)
    const last = Math.min(end, unit.part.end)
    const offset = unit.part.start
    // The second piece of a unit: its memory was released while a slow client read it.
    const isRest = unit.url === previousUrl
    previousUrl = unit.url
    const isForCache = !isRest && end - start < MAX_BYTES
    const body = isForCache && loader.isLoading(unit.url) ? null : await find(unit, position, last)
    if (body) return { type: 'stream', body, end: last }
    const isFirst = position === start
    const mode = isFirst ? 'progressive' : 'at-once'
    const load = isForCache ? await loader.load(unit, mode, trace, waitUntil) : undefined
    if (load?.type === 'held') {
      if (isFirst) return { type: 'held', bytes: load.bytes, offset, end: last }
      // The client is busy with what came before: this way no byte passes through JavaScript.
      await load.bytes.untilReleased(progressMs)
      const kept = await find(unit, position, last)
      if (kept) return { type: 'stream', body: kept, end: last }
    }
    trace.fill = 'passed-through'
    const rest = await loader.read(head, { start: position, end }, trace)
    return { type: 'stream', body: rest.body ?? new Blob([]).stream(), end }
  }
  // A cache that fails is a cache that has nothing.
  const find = (unit: ReturnType<typeof toUnit>, position: number, last: number) => {
    const offset = unit.part.start
    const local = { start: position - offset, end: last - offset }
    return trace
      .time('edge', () => edge.findPart(unit, local))
      .catch((error) => {
        trace.faults.push(`edge: ${error}`)
        return null
      })
  }
  const first = await open(start)
  if (first.type === 'stream' && first.end === end) return first.body
  const { readable, writable } = createPipe(end - start + 1)
  const openNext = (position: number) =>
    open(position).catch(async (error) => {
      // The next request reads what has taken its place.
      if (error instanceof ObjectChangedError) await edge.delete(cacheUrl)
      throw error
    })
  waitUntil(copyPieces(first, openNext, { writable, start, end, progressMs }))
  return readable
}
