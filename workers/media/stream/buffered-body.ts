import { type Part, toPartLength } from '../../../http/content-range.ts'
import type { Body } from '../object.ts'
import { within } from './deadline.ts'

// A request that the platform has ended cannot release its memory, so its reservation expires.
const RESERVATION_MS = 60_000
const POLL_MS = 10
// A slow client keeps one such copy in memory, however long it takes.
const COPY_BYTES = 65_536
const READ_BYTES = 131_072

/**
 * A part of an object, in memory until the edge cache has it. Any number of requests copy bytes while they arrive,
 * independently of each other. Positions are those in the object.
 */
export class BufferedBody {
  readonly #part: Part
  readonly #onRelease: () => void
  #bytes = new Uint8Array()
  #loaded = 0
  #isReleased = false
  #error: unknown
  #progress = Promise.withResolvers<void>()

  /** `onRelease` returns the memory to its budget. */
  constructor(part: Part, onRelease: () => void) {
    this.#part = part
    this.#onRelease = onRelease
  }

  /**
   * Reads a body, whose chunks each arrive within `ms` milliseconds, and resolves to its bytes. The
   * last chunk can be copied only when the body has ended, so that a body that is too long is not sent.
   * @throws DeadlineError, RangeError for too many bytes, or the error of the body
   */
  async receive(body: Body, ms: number): Promise<Uint8Array<ArrayBuffer>> {
    this.#bytes = new Uint8Array(toPartLength(this.#part))
    const reader = body?.getReader({ mode: 'byob' })
    let [loaded, buffer] = [0, new ArrayBuffer(READ_BYTES)]
    try {
      while (reader) {
        const { value, done } = await within(ms, reader.read(new Uint8Array(buffer)))
        if (done || !value) break
        // Throws a RangeError if the body is too long.
        this.#bytes.set(value, loaded)
        loaded += value.length
        buffer = value.buffer
        if (loaded < this.#bytes.length) this.#publish(loaded)
      }
      this.#publish(loaded)
      return this.#bytes.subarray(0, loaded)
    } catch (error) {
      reader?.cancel(error).catch(() => undefined)
      throw error
    }
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
   * Writes a part while it arrives, and resolves to the position after the
   * last byte written. It stops early when the bytes are released, and after `ms` milliseconds
   * without progress, because then the request that loads them was cancelled.
   * @throws the error that they were released with, or that of the stream
   */
  async writeTo(writable: WritableStream<Uint8Array>, part: Part, ms: number): Promise<number> {
    const writer = writable.getWriter()
    let position = part.start
    try {
      while (position <= part.end) {
        const copy = await this.#copy(position, part.end, ms)
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
    const { end } = this.#part
    await this.#copy(end + 1, end, ms)
  }

  async #copy(position: number, end: number, ms: number): Promise<Uint8Array | undefined> {
    const offset = position - this.#part.start
    while (!this.#isReleased && this.#loaded <= offset) {
      const progress = within(ms, this.#progress.promise).then(() => true)
      if (!(await progress.catch(() => false))) return undefined
    }
    if (this.#error !== undefined) throw this.#error
    if (this.#isReleased) return undefined
    const length = Math.min(end - position + 1, this.#loaded - offset, COPY_BYTES)
    return this.#bytes.slice(offset, offset + length)
  }

  #publish(loaded: number): void {
    this.#loaded = loaded
    this.#progress.resolve()
    this.#progress = Promise.withResolvers()
  }
}

/** Limits the bytes that one isolate buffers at a time. */
export class MemoryBudget {
  readonly #total: number
  readonly #now: () => number
  readonly #reservations = new Set<{ bytes: number; until: number }>()

  constructor(total: number, now: () => number) {
    this.#total = total
    this.#now = now
  }

  /** Reserves a buffer for a part of an object; undefined if not enough memory is free within `ms` milliseconds. */
  async allocate(part: Part, ms: number): Promise<BufferedBody | undefined> {
    const bytes = toPartLength(part)
    // Polls, because a promise of another request may never settle in workerd.
    for (let waited = 0; this.reserved + bytes > this.#total; waited += POLL_MS) {
      if (waited >= ms) return undefined
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
    const reservation = { bytes, until: this.#now() + RESERVATION_MS }
    this.#reservations.add(reservation)
    return new BufferedBody(part, () => this.#reservations.delete(reservation))
  }

  get reserved(): number {
    const now = this.#now()
    for (const each of this.#reservations) if (each.until <= now) this.#reservations.delete(each)
    return this.#reservations.values().reduce((sum, { bytes }) => sum + bytes, 0)
  }
}
