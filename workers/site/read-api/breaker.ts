/** Stops calls to an origin that hangs: fails them at once instead of letting each wait for its deadline. */
export interface Breaker {
  /** Undefined when a call is allowed, else the milliseconds until the next attempt. */
  check(): number | undefined
  /** The call went past its deadline. */
  open(): void
  /** The call ended within its deadline, whatever its result. */
  close(): void
}

const OPEN_MS = 10_000

/**
 * Opens for 10 s when a call goes past its deadline. Then one call is let through as a probe, and the others fail for
 * another 10 s, unless the probe closes the breaker first.
 */
export function createBreaker(now: () => number): Breaker {
  let openUntil: number | undefined

  return {
    check() {
      if (openUntil === undefined) return undefined
      const wait = openUntil - now()
      if (wait > 0) return wait
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
