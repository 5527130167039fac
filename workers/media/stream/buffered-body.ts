import { type Part, toPartLength } from '../../../http/content-range.ts'
import type { Body } from '../object.ts'
import { within } from './deadline.ts'

// A request that the platform has ended cannot release its memory, so its reservation expires.
const RESERVATION_MS = 60_000
const POLL_MS = 10
// Each client that reads the bytes has a copy of at most this size in memory, until the client has received it.
const COPY_BYTES = 65_536
const READ_BYTES = 131_072

/**
 * A part of an object, in memory until the edge cache has it. Requests copy its bytes while they arrive,
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
   * Reads a body and returns its bytes. The last chunk is published only after the body has ended, so that
   * a body that is too long is not sent completely.
   * @throws DeadlineError if a chunk takes longer than `ms`, RangeError for too many bytes, or the body's error
   */
  async receive(body: Body, ms: number): Promise<Uint8Array<ArrayBuffer>> {
    this.#bytes = new Uint8Array(toPartLength(this.#part))
    const reader = body?.getReader({ mode: 'byob' })
    let loaded = 0
    let buffer = new ArrayBuffer(READ_BYTES)
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

  /** Frees the memory, once. Copies in progress fail with `error`; without an error they end early. */
  release(error?: unknown): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#error = error
    this.#bytes = new Uint8Array()
    this.#publish(0)
    this.#onRelease()
  }

  /**
   * Writes a part while it arrives, and returns the position after the last byte written. Stops early when the
   * bytes are released, and after `ms` milliseconds without progress (the loading request was cancelled).
   * @throws the error that the bytes were released with, or that of the stream
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
    // The position after the last byte never arrives, so this waits for the release.
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

  /** Reserves memory for a part of an object; undefined if it is not free within `ms` milliseconds. */
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
