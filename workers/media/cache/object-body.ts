import type { Part } from '../../../http/content-range.ts'
import type { Body } from '../object.ts'
import type { RequestContext } from '../request/request-trace.ts'
import type { BufferedBody } from '../stream/buffered-body.ts'
import { type SizedHead, SLICE_BYTES, toUnit } from './cache-unit.ts'
import type { EdgeCache } from './edge-cache.ts'
import { type Loader, type LoadMode, ObjectChangedError } from './loader.ts'

/** Creates a stream whose readable side has exactly `length` bytes. */
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
/** Consecutive bytes of an object up to `end`, inclusive; `offset` is the position of the first buffered byte. */
type Piece =
  | { type: 'stream'; body: ReadableStream<Uint8Array>; end: number }
  | { type: 'buffered'; bytes: BufferedBody; offset: number; end: number }

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
  context: RequestContext,
): Promise<Body> {
  const { edge, loader, createPipe } = deps
  const { trace, waitUntil } = context
  const { start, end } = part ?? { start: 0, end: head.size - 1 }
  if (start > end) return null
  const isCached = end - start < MAX_BYTES
  const progressMs = deps.chunkMs + 1000

  const open = async (position: number, mode: LoadMode): Promise<Piece> => {
    const unit = toUnit(cacheUrl, head, position)
    const last = Math.min(end, unit.part.end)
    const find = () =>
      trace.attempt('edge', () => edge.findPart(unit, { start: position, end: last }))
    let body = isCached && loader.isLoading(unit.url) ? undefined : await find()
    const load = isCached && !body ? await loader.load(unit, mode, context) : undefined
    if (load?.type === 'buffered') {
      const { bytes } = load
      if (mode === 'progressive')
        return { type: 'buffered', bytes, offset: unit.part.start, end: last }
      // The client is busy with the previous unit: this way no byte passes through JavaScript.
      await bytes.untilReleased(progressMs)
      body = await find()
    }
    if (body) return { type: 'stream', body, end: last }
    trace.fill = 'passed-through'
    const rest = await loader.read(head, { start: position, end }, trace)
    return { type: 'stream', body: rest.body ?? new Blob([]).stream(), end }
  }

  const copyAll = async (first: Piece, writable: WritableStream<Uint8Array>): Promise<void> => {
    try {
      let position = await copyPiece(first, start, writable, progressMs)
      while (position <= end) {
        position = await copyPiece(await open(position, 'at-once'), position, writable, progressMs)
      }
      await writable.close()
    } catch (error) {
      // The next request reads the new version.
      if (error instanceof ObjectChangedError) await edge.delete(cacheUrl)
      await abort(writable, error)
    }
  }

  const first = await open(start, 'progressive')
  if (first.type === 'stream' && first.end === end) return first.body
  const { readable, writable } = createPipe(end - start + 1)
  waitUntil(copyAll(first, writable))
  return readable
}

/** Resolves to the position after the last byte that was written. Streams use the platform's native pipe. */
async function copyPiece(
  piece: Piece,
  start: number,
  writable: WritableStream<Uint8Array>,
  progressMs: number,
): Promise<number> {
  const { end } = piece
  if (piece.type === 'stream') {
    await piece.body.pipeTo(writable, { preventClose: true, preventAbort: true })
    return end + 1
  }
  const { bytes, offset } = piece
  const writer = writable.getWriter()
  let position = start
  try {
    while (position <= end) {
      const copy = await bytes.copy(position - offset, end - offset, progressMs)
      if (!copy) break
      await writer.write(copy)
      position += copy.length
    }
    return position
  } finally {
    writer.releaseLock()
  }
}

/** Aborts the stream to a client. @throws the error, unless the client has left */
async function abort(writable: WritableStream<Uint8Array>, error: unknown): Promise<void> {
  const writer = writable.getWriter()
  writer.closed.catch(() => undefined)
  // The desired size of a stream that the client has cancelled is null.
  if (writer.desiredSize === null) return
  await writer.abort(error).catch(() => undefined)
  throw error
}
