const DAY_MS = 24 * 3600 * 1000
const JITTER = 0.1

export interface Expiry {
  freshUntil: number
  staleUntil: number
}

/** A lifetime of `seconds` ±10 %; neither instant is later than the first of `nextChanges`, when a scheduled publication changes the page. */
export function toExpiry(
  renderedAt: number,
  seconds: number,
  nextChanges: readonly (Date | undefined)[],
  random: number,
): Expiry {
  const life = seconds * 1000 * (1 - JITTER + 2 * JITTER * random)
  const instants = nextChanges.flatMap((date) => date?.getTime() ?? [])
  const nextChange = Math.min(...instants.filter((instant) => instant > renderedAt))
  const freshUntil = Math.round(Math.min(renderedAt + life, nextChange))
  return { freshUntil, staleUntil: Math.min(freshUntil + DAY_MS, nextChange) }
}
