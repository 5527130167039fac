interface Waiter {
  bytes: number
  grant: (hold: Hold | undefined) => void
}
interface Hold {
  bytes: number
  since: number
}

// A request that the platform has ended cannot give anything back.
const HOLD_MS = 60_000

/** Bytes that one isolate may hold at a time, granted in the order of the requests. */
export class MemoryBudget {
  readonly #total: number
  readonly #now: () => number
  #holds = new Set<Hold>()
  #waiters: Waiter[] = []

  constructor(total: number, now: () => number) {
    this.#total = total
    this.#now = now
  }

  /** Reserves `bytes` within `ms` milliseconds and returns how to release them; undefined without room. */
  async reserve(bytes: number, ms: number): Promise<(() => void) | undefined> {
    const { promise, resolve } = Promise.withResolvers<Hold | undefined>()
    const waiter = { bytes, grant: resolve }
    this.#waiters.push(waiter)
    this.#grantWaiting()
    const timer = setTimeout(() => {
      this.#waiters = this.#waiters.filter((each) => each !== waiter)
      resolve(undefined)
    }, ms)
    const hold = await promise
    clearTimeout(timer)
    return hold && (() => this.#release(hold))
  }

  #release(hold: Hold): void {
    this.#holds.delete(hold)
    this.#grantWaiting()
  }

  #grantWaiting(): void {
    const live = [...this.#holds].filter(({ since }) => this.#now() - since < HOLD_MS)
    let free = live.reduce((rest, { bytes }) => rest - bytes, this.#total)
    for (let [next] = this.#waiters; next && next.bytes <= free; [next] = this.#waiters) {
      const hold = { bytes: next.bytes, since: this.#now() }
      live.push(hold)
      free -= next.bytes
      this.#waiters.shift()
      next.grant(hold)
    }
    this.#holds = new Set(live)
  }
}
