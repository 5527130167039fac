import { toPartLength } from '../../../http/content-range.ts'
import type { Body } from '../object.ts'
import type { RequestContext } from '../request/request-trace.ts'
import type { RetryPolicy } from '../store/store.ts'
import { type ObjectPart, toUnit } from './cache-unit.ts'
import type { EdgeCache } from './edge-cache.ts'
import type { Loader, LoadMode } from './loader.ts'

/** Creates a stream whose readable side has exactly `length` bytes. */
export type CreatePipe = (length: number) => TransformStream<Uint8Array, Uint8Array>

export interface BodyContext extends RequestContext {
  edge: EdgeCache
  loader: Loader
  createPipe: CreatePipe
  retries: RetryPolicy
}
/** Consecutive bytes of an object. `copyTo` resolves to the position after the last byte written. */
interface Piece {
  /** The same bytes, up to `end`, as a stream; absent when other requests may share them. */
  stream?: { body: ReadableStream<Uint8Array>; end: number }
  copyTo: (writable: WritableStream<Uint8Array>) => Promise<number>
}
type OpenPiece = (position: number, mode: LoadMode) => Promise<Piece>

/**
 * Opens bytes of an object. Each unit is read from memory if another request is loading it, else from the edge
 * cache, else from the store. The first unit is opened before the function returns.
 * @throws ObjectChangedError, StoreError, DeadlineError
 */
export async function openBody(context: BodyContext, target: ObjectPart): Promise<Body> {
  const { start, end } = target.part
  if (start > end) return null
  const openAt: OpenPiece = (position, mode) =>
    openPiece(context, { ...target, part: { start: position, end } }, mode)
  const first = await openAt(start, 'progressive')
  if (first.stream?.end === end) return first.stream.body
  const { readable, writable } = context.createPipe(toPartLength(target.part))
  context.waitUntil(copyPieces(first, openAt, end, writable))
  return readable
}

async function openPiece(context: BodyContext, target: ObjectPart, mode: LoadMode): Promise<Piece> {
  const { edge, loader, retries, trace } = context
  const { start, end } = target.part
  const unit = toUnit(target, start)
  const part = { start, end: Math.min(end, unit.part.end) }
  const find = () => trace.attempt('edge', () => edge.findPart(unit, part))
  let body = loader.isLoading(unit.url) ? undefined : await find()
  const load = body ? undefined : await loader.load(unit, mode, context)
  if (load?.type === 'buffered') {
    const { bytes } = load
    // Longer than the deadline of the load, so that a stalled load fails before its readers give up.
    const progressMs = retries.chunkMs + 1000
    if (mode === 'progressive') return { copyTo: (to) => bytes.writeTo(to, part, progressMs) }
    // The client may still receive the previous unit. A body of the cache is then sent without JavaScript.
    await bytes.untilReleased(progressMs)
    body = await find()
  }
  if (body) return toNativePiece(body, part.end)
  trace.fill = 'passed-through'
  const rest = await loader.read(target, target.part, trace)
  return toNativePiece(rest.body ?? new Blob([]).stream(), end)
}

function toNativePiece(body: ReadableStream<Uint8Array>, end: number): Piece {
  const copyTo = async (writable: WritableStream<Uint8Array>) => {
    await body.pipeTo(writable, { preventClose: true, preventAbort: true })
    return end + 1
  }
  return { stream: { body, end }, copyTo }
}

/** Writes pieces up to `end` to a client. @throws the error of a piece, unless the client has disconnected */
async function copyPieces(
  first: Piece,
  openAt: OpenPiece,
  end: number,
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  try {
    let position = await first.copyTo(writable)
    while (position <= end) position = await (await openAt(position, 'complete')).copyTo(writable)
    await writable.close()
  } catch (error) {
    const writer = writable.getWriter()
    writer.closed.catch(() => undefined)
    // The desired size of a stream that the client has cancelled is null.
    if (writer.desiredSize === null) return
    await writer.abort(error).catch(() => undefined)
    throw error
  }
}
