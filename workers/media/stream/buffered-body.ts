import type { Body } from '../object.ts'
import { within } from './deadline.ts'

// A slow client keeps one such copy in memory, however long it takes.
const COPY_BYTES = 65_536
const READ_BYTES = 131_072

/**
 * Bytes of an object or slice, in memory until the edge cache has them. Any number of requests copy
 * from them while they arrive; none slows another down or depends on it.
 */
export class BufferedBody {
  readonly size: number
  readonly #onRelease: () => void
  #bytes: Uint8Array<ArrayBuffer>
  #loaded = 0
  #isReleased = false
  #error: unknown
  #wakeUps = new Set<() => void>()

  /** `onRelease` returns the memory to its budget. */
  constructor(size: number, onRelease: () => void) {
    this.size = size
    this.#onRelease = onRelease
    this.#bytes = new Uint8Array(size)
  }

  /** The bytes that have arrived. */
  get loaded(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#loaded)
  }

  /**
   * Appends a body; `toMs` returns the time for the next chunk. The last chunk becomes readable when
   * the body has ended, so that a body that is too long is not taken for a complete one.
   * @throws DeadlineError, RangeError for more bytes than `size`, or the error of the body
   */
  async append(body: Body, toMs: () => number): Promise<void> {
    const reader = body?.getReader({ mode: 'byob' })
    let [loaded, buffer] = [this.#loaded, new ArrayBuffer(READ_BYTES)]
    try {
      while (reader) {
        const { value, done } = await within(toMs(), reader.read(new Uint8Array(buffer)))
        if (done || !value) break
        if (loaded + value.length > this.size)
          throw new RangeError(`the store sent more than ${this.size} bytes`)
        this.#bytes.set(value, loaded)
        loaded += value.length
        buffer = value.buffer
        if (loaded < this.size) this.#publish(loaded)
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
    this.#bytes = bytes.subarray(0, this.size)
    this.#publish(this.#bytes.length)
  }

  /** Frees the memory. Without an error, requests that are not done read the rest from the cache. */
  release(error?: unknown): void {
    this.#error ??= error
    this.#isReleased = true
    this.#bytes = new Uint8Array()
    this.#publish(0)
    this.#onRelease()
  }

  /**
   * A copy of some bytes from `start` on, up to `end`; undefined once they are released, or after
   * `ms` milliseconds without progress: then the request that loads them has died.
   * @throws the error that they were released with
   */
  async copy(start: number, end: number, ms: number): Promise<Uint8Array | undefined> {
    while (!this.#isReleased && this.#loaded <= start) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      this.#wakeUps.add(() => resolve(true))
      if (!(await within(ms, promise).catch(() => false))) return undefined
    }
    if (this.#error !== undefined) throw this.#error
    if (this.#isReleased) return undefined
    return this.#bytes.slice(start, Math.min(end + 1, this.#loaded, start + COPY_BYTES))
  }

  /** Waits until the bytes are released, or nothing arrives for `ms` milliseconds. @throws like `copy` */
  async untilReleased(ms: number): Promise<void> {
    await this.copy(this.size, this.size, ms)
  }

  #publish(loaded: number): void {
    this.#loaded = loaded
    for (const wakeUp of this.#wakeUps) wakeUp()
    this.#wakeUps.clear()
  }
}
