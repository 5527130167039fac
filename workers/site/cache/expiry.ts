const DAY_MS = 24 * 3600 * 1000
const JITTER = 0.1

export type Expiry = { soft: number; hard: number }

/**
 * When an entry grows stale and when it expires, in milliseconds: `seconds` of life ±10 %, cut short
 * by the first instant at which time alone changes it.
 */
export function toExpiry(
  at: number,
  seconds: number,
  nextChanges: readonly (Date | undefined)[],
  random: number,
): Expiry {
  const life = seconds * 1000 * (1 - JITTER + 2 * JITTER * random)
  const changes = nextChanges.filter((date) => date !== undefined).map((date) => date.getTime())
  const soft = Math.round(Math.min(at + life, ...changes.filter((change) => change > at)))
  return { soft, hard: soft + DAY_MS }
}
