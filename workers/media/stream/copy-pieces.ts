import type { HeldBody } from './held-body.ts'

/** Consecutive bytes of an object up to `end`, inclusive. `offset` is the position of the first held byte. */
export type Piece =
  | { type: 'stream'; body: ReadableStream<Uint8Array>; end: number }
  | { type: 'held'; bytes: HeldBody; offset: number; end: number }

export interface CopyTarget {
  writable: WritableStream<Uint8Array>
  start: number
  end: number
  /** Milliseconds for which held bytes may stand still before they are read elsewhere. */
  progressMs: number
}

/**
 * Writes pieces to a client. Streams go through the platform's native pipe. A client that leaves
 * ends the copying without an error.
 * @throws what a piece threw; the client's stream is aborted as well
 */
export async function copyPieces(
  first: Piece,
  open: (position: number) => Promise<Piece>,
  { writable, start, end, progressMs }: CopyTarget,
): Promise<void> {
  try {
    let position = await copyPiece(first, start, writable, progressMs)
    while (position <= end) {
      position = await copyPiece(await open(position), position, writable, progressMs)
    }
    await writable.close()
  } catch (error) {
    // The desired size of a stream that the client has cancelled is null.
    const writer = writable.getWriter()
    writer.closed.catch(() => undefined)
    if (writer.desiredSize === null) return
    await writer.abort(error).catch(() => undefined)
    throw error
  }
}

/** Resolves to the position after the last byte that was written. */
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
