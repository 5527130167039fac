import { type Part, toPartLength } from '../../../http/content-range.ts'
import type { Body } from '../object.ts'
import { within } from './deadline.ts'

// A slow client keeps one such copy in memory, however long it takes.
const COPY_BYTES = 65_536
const READ_BYTES = 131_072

/**
 * A part of an object, in memory until the edge cache has it. Any number of requests copy bytes while
 * they arrive; none slows another down or depends on it. Positions are those in the object.
 */
export class BufferedBody {
  readonly part: Part
  readonly #onRelease: () => void
  #bytes: Uint8Array<ArrayBuffer>
  #loaded = 0
  #isReleased = false
  #error: unknown
  #progress = Promise.withResolvers<void>()

  /** `onRelease` returns the memory to its budget. */
  constructor(part: Part, onRelease: () => void) {
    this.part = part
    this.#onRelease = onRelease
    this.#bytes = new Uint8Array(toPartLength(part))
  }

  /** The bytes that have arrived. */
  get loaded(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#loaded)
  }

  /** Position of the first byte that has not arrived. */
  get next(): number {
    return this.part.start + this.#loaded
  }

  /**
   * Appends a body, whose chunks each arrive within `ms` milliseconds. The last chunk becomes readable
   * when the body has ended, so that a body that is too long is not taken for a complete one.
   * @throws DeadlineError, RangeError for too many bytes, or the error of the body
   */
  async append(body: Body, ms: number): Promise<void> {
    const reader = body?.getReader({ mode: 'byob' })
    let [loaded, buffer] = [this.#loaded, new ArrayBuffer(READ_BYTES)]
    try {
      while (reader) {
        const { value, done } = await within(ms, reader.read(new Uint8Array(buffer)))
        if (done || !value) break
        // A RangeError where there is no room.
        this.#bytes.set(value, loaded)
        loaded += value.length
        buffer = value.buffer
        if (loaded < this.#bytes.length) this.#publish(loaded)
      }
      this.#publish(loaded)
    } catch (error) {
      reader?.cancel(error).catch(() => undefined)
      throw error
    }
  }

  /** Loads a body at once, for a tenth of the CPU time. @throws DeadlineError, or the error of the body */
  async load(body: Body, ms: number): Promise<void> {
    const bytes = new Uint8Array(await within(ms, new Response(body).arrayBuffer()))
    this.#bytes = bytes.subarray(0, this.#bytes.length)
    this.#publish(this.#bytes.length)
  }

  /** Frees the memory, once. Without an error, requests that are not done read the rest from the cache. */
  release(error?: unknown): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#error = error
    this.#bytes = new Uint8Array()
    this.#publish(0)
    this.#onRelease()
  }

  /**
   * Writes the bytes from `start` to `end` while they arrive, and resolves to the position after the
   * last byte written. It stops early when the bytes are released, and after `ms` milliseconds
   * without progress: then the request that loads them has died.
   * @throws the error that they were released with, or that of the stream
   */
  async writeTo(
    writable: WritableStream<Uint8Array>,
    { start, end }: Part,
    ms: number,
  ): Promise<number> {
    const writer = writable.getWriter()
    let position = start
    try {
      while (position <= end) {
        const copy = await this.#copy(position, end, ms)
        if (!copy) break
        await writer.write(copy)
        position += copy.length
      }
      return position
    } finally {
      writer.releaseLock()
    }
  }

  /** Waits until the bytes are released, or nothing arrives for `ms` milliseconds. @throws like `writeTo` */
  async untilReleased(ms: number): Promise<void> {
    await this.#copy(this.part.end + 1, this.part.end, ms)
  }

  async #copy(position: number, end: number, ms: number): Promise<Uint8Array | undefined> {
    while (!this.#isReleased && this.next <= position) {
      const progress = within(ms, this.#progress.promise).then(() => true)
      if (!(await progress.catch(() => false))) return undefined
    }
    if (this.#error !== undefined) throw this.#error
    if (this.#isReleased) return undefined
    const last = Math.min(end, this.next - 1, position + COPY_BYTES - 1)
    return this.#bytes.slice(position - this.part.start, last + 1 - this.part.start)
  }

  #publish(loaded: number): void {
    this.#loaded = loaded
    this.#progress.resolve()
    this.#progress = Promise.withResolvers()
  }
}
