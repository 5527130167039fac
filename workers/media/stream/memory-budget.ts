import { type Part, toPartLength } from '../../../http/content-range.ts'
import { BufferedBody } from './buffered-body.ts'

// A request that the platform has ended cannot release its memory.
const HOLD_MS = 60_000
const POLL_MS = 10

/** Limits the bytes that one isolate buffers at a time. */
export class MemoryBudget {
  readonly #total: number
  readonly #now: () => number
  readonly #reservations = new Set<{ bytes: number; until: number }>()

  constructor(total: number, now: () => number) {
    this.#total = total
    this.#now = now
  }

  /** A buffer for a part of an object; undefined when there is no room within `ms` milliseconds. */
  async allocate(part: Part, ms: number): Promise<BufferedBody | undefined> {
    const bytes = toPartLength(part)
    // Each request waits with its own timer: another request's promise may never settle.
    for (let waited = 0; this.reserved + bytes > this.#total; waited += POLL_MS) {
      if (waited >= ms) return undefined
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
    const reservation = { bytes, until: this.#now() + HOLD_MS }
    this.#reservations.add(reservation)
    return new BufferedBody(part, () => this.#reservations.delete(reservation))
  }

  get reserved(): number {
    const now = this.#now()
    for (const each of this.#reservations) if (each.until <= now) this.#reservations.delete(each)
    return this.#reservations.values().reduce((sum, { bytes }) => sum + bytes, 0)
  }
}
