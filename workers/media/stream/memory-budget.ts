// A request that the platform has ended cannot give anything back.
const HOLD_MS = 60_000
const POLL_MS = 10

/** Bytes that one isolate may hold at a time. */
export class MemoryBudget {
  readonly #total: number
  readonly #now: () => number
  readonly #holds = new Set<{ bytes: number; until: number }>()

  constructor(total: number, now: () => number) {
    this.#total = total
    this.#now = now
  }

  /** Reserves `bytes` within `ms` milliseconds and returns how to release them; undefined without room. */
  async reserve(bytes: number, ms: number): Promise<(() => void) | undefined> {
    // Waits by a timer of its own: another request's promise may never settle.
    for (let waited = 0; this.#used + bytes > this.#total; waited += POLL_MS) {
      if (waited >= ms) return undefined
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
    const hold = { bytes, until: this.#now() + HOLD_MS }
    this.#holds.add(hold)
    return () => this.#holds.delete(hold)
  }

  get #used(): number {
    let used = 0
    for (const hold of this.#holds) {
      if (hold.until > this.#now()) used += hold.bytes
      else this.#holds.delete(hold)
    }
    return used
  }
}
