import type { Body } from '../store/object.ts'

const CHUNK_BYTES = 65_536

/** Who gets the bytes of a body, and on which terms. */
export type Pouring = {
  /** What was read of the body before. */
  begun: readonly Uint8Array[]
  reader: WritableStream<Uint8Array> | undefined
  copy: WritableStream<Uint8Array> | undefined
  /** Whether the copy goes on although the reader has left. */
  outlives: boolean
  /** Whether memory holds what they have not taken yet, so that neither waits for the other. */
  holds: boolean
  /** Milliseconds that the source has for each chunk. */
  chunkMs: number
  /** Told before an output is broken off, be it that the source did, or that nobody is left. */
  onBreak: () => void
}
/** Whether all of it was poured, or everybody who wanted it had left before. */
export type Poured = 'whole' | 'left'
type Output = { writer: WritableStreamDefaultWriter<Uint8Array> | undefined }

/** Something took longer than it may. */
export class LateError extends Error {}

/**
 * Pours a body to a reader, to a copy, or to both in lockstep: whatever its size and whichever is
 * slower, one chunk lies in memory, unless memory holds all. An output that fails leaves the other
 * alone; when nobody is left who wants it, the source ends.
 * @throws LateError, or what the source threw, when it broke off; the outputs are broken off as well
 */
export async function pour(source: Body, pouring: Pouring): Promise<Poured> {
  const { begun, outlives, holds, chunkMs, onBreak } = pouring
  const reader: Output = { writer: pouring.reader?.getWriter() }
  const copy: Output = { writer: pouring.copy?.getWriter() }
  const isWanted = () => Boolean(reader.writer || (copy.writer && outlives))
  const bytes = source?.getReader({ mode: 'byob' })
  const read = async (buffer: ArrayBuffer) =>
    bytes && (await within(chunkMs, bytes.read(new Uint8Array(buffer))))
  const give = async (value: Uint8Array) => {
    const written = [reader, copy].map((each) => tell(each, (writer) => writer.write(value)))
    await (holds || Promise.all(written))
  }
  try {
    for (const value of begun) await give(value)
    let chunk = await read(new ArrayBuffer(CHUNK_BYTES))
    while (chunk?.value && !chunk.done && isWanted()) {
      await give(holds ? chunk.value.slice() : chunk.value)
      chunk = await read(chunk.value.buffer)
    }
    const ended = isWanted() ? 'whole' : 'left'
    const end = ended === 'whole' ? close : abort
    if (ended === 'left') onBreak()
    await Promise.all([end(reader), end(copy), bytes?.cancel()])
    return ended
  } catch (error) {
    // What stalls may not even take note that nobody waits for it.
    bytes?.cancel(error).catch(() => undefined)
    onBreak()
    await Promise.all([abort(reader, error), abort(copy, error)])
    throw error
  }
}

/**
 * What `work` comes to, when it does so in time.
 * @throws LateError
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError(`nothing came in ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

async function tell(
  output: Output,
  what: (writer: WritableStreamDefaultWriter<Uint8Array>) => Promise<void>,
): Promise<void> {
  try {
    if (output.writer) await what(output.writer)
  } catch {
    output.writer = undefined
  }
}

function close(output: Output): Promise<void> {
  return tell(output, (writer) => writer.close())
}

function abort(output: Output, reason: unknown = new Error('nobody is left')): Promise<void> {
  return tell(output, (writer) => writer.abort(reason))
}
