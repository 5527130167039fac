const DAY_MS = 24 * 3600 * 1000
const JITTER = 0.1

export interface Expiry {
  freshUntil: number
  staleUntil: number
}

/**
 * Returns when an entry stops being fresh, after `seconds` ±10 %, and when it stops being stale, a day later.
 * Neither is later than the next of `nextChanges`, the times of scheduled publications. Times are in
 * milliseconds; `random` is in [0, 1).
 */
export function toExpiry(
  renderedAt: number,
  seconds: number,
  nextChanges: readonly (Date | undefined)[],
  random: number,
): Expiry {
  const lifeMs = seconds * 1000 * (1 - JITTER + 2 * JITTER * random)
  const times = nextChanges.flatMap((date) => date?.getTime() ?? [])
  const nextChange = Math.min(...times.filter((time) => time > renderedAt))
  const freshUntil = Math.round(Math.min(renderedAt + lifeMs, nextChange))
  return { freshUntil, staleUntil: Math.min(freshUntil + DAY_MS, nextChange) }
}
