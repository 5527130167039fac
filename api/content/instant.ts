/** An instant as the contract writes it; one that cannot be expressed (`infinity`, none) gives a text that it refuses. */
export function toInstant(instant: Date): string {
  const isDate = instant instanceof Date && !Number.isNaN(instant.getTime())
  return isDate ? instant.toISOString() : String(instant)
}
