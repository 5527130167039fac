import type { Body } from '../object.ts'
import { within } from './deadline.ts'

// A slow client keeps one such copy in memory, however long it takes.
const COPY_BYTES = 65_536
const READ_BYTES = 131_072

/**
 * Bytes of an object or slice on their way into the edge cache. Any number of requests copy from
 * them while they arrive; none slows another down or depends on it.
 */
export class HeldBody {
  readonly size: number
  #bytes: Uint8Array<ArrayBuffer> | undefined
  #loaded = 0
  #error: unknown
  #wakeUps = new Set<() => void>()

  constructor(size: number) {
    this.size = size
    this.#bytes = new Uint8Array(size)
  }

  get loaded(): number {
    return this.#loaded
  }

  /** The bytes that have come so far. */
  get begun(): Uint8Array<ArrayBuffer> {
    return this.#bytes?.subarray(0, this.#loaded) ?? new Uint8Array()
  }

  /** All bytes. @throws Error when some are missing */
  get whole(): Uint8Array<ArrayBuffer> {
    if (this.#bytes && this.#loaded === this.size) return this.#bytes
    throw new Error(`${this.#loaded} bytes came of ${this.size}`)
  }

  /**
   * Appends a body; `toMs` gives the time for the next chunk. The last chunk becomes readable when
   * the body has ended, so that nobody takes a body that is too long for a whole one.
   * @throws DeadlineError, RangeError for more bytes than `size`, or what the body threw
   */
  async append(body: Body, toMs: () => number): Promise<void> {
    const reader = body?.getReader({ mode: 'byob' })
    let loaded = this.#loaded
    try {
      let buffer = new ArrayBuffer(READ_BYTES)
      while (reader) {
        const { value, done } = await within(toMs(), reader.read(new Uint8Array(buffer)))
        if (done || !value) break
        if (loaded + value.length > this.size)
          throw new RangeError(`more than ${this.size} bytes came`)
        this.#bytes?.set(value, loaded)
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

  /** Frees the memory. Without an error, requests that are not done read the rest from the cache. */
  release(error?: unknown): void {
    this.#error ??= error
    this.#bytes = undefined
    this.#publish(this.#loaded)
  }

  /**
   * A copy of some bytes from `start` on, up to `end`; undefined once they are released, or after
   * `ms` milliseconds without progress: then the request that loads them has died.
   * @throws what they were released with
   */
  async copy(start: number, end: number, ms: number): Promise<Uint8Array | undefined> {
    while (this.#bytes && this.#loaded <= start) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wakeUps.add(resolve)
      const hasProgressed = await within(ms, promise).then(
        () => true,
        () => false,
      )
      if (!hasProgressed) return undefined
    }
    if (this.#error !== undefined) throw this.#error
    return this.#bytes?.slice(start, Math.min(end + 1, this.#loaded, start + COPY_BYTES))
  }

  #publish(loaded: number): void {
    this.#loaded = loaded
    for (const wakeUp of this.#wakeUps) wakeUp()
    this.#wakeUps.clear()
  }
}
