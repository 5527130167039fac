/** Stops calls to an origin that hangs, so that they fail immediately instead of after their deadlines. */
export interface Breaker {
  /** Returns undefined when a call is allowed, otherwise the milliseconds until the next attempt. */
  check(): number | undefined
  /** Records that a call exceeded its deadline. */
  open(): void
  /** Records that a call ended within its deadline, with any result. */
  close(): void
}

const OPEN_MS = 10_000

/**
 * Creates a breaker that opens for 10 s when a call exceeds its deadline. Then one call is allowed as a
 * probe, and the others fail for another 10 s, unless the probe ends within its deadline first.
 */
export function createBreaker(now: () => number): Breaker {
  let openUntil: number | undefined

  return {
    check() {
      if (openUntil === undefined) return undefined
      const waitMs = openUntil - now()
      if (waitMs > 0) return waitMs
      openUntil = now() + OPEN_MS
      return undefined
    },
    open() {
      openUntil = now() + OPEN_MS
    },
    close() {
      openUntil = undefined
    },
  }
}
