/** Formats an instant as ISO 8601. For `infinity` and null the result does not match the contract. */
export function toInstant(instant: Date): string {
  const isDate = instant instanceof Date && !Number.isNaN(instant.getTime())
  return isDate ? instant.toISOString() : String(instant)
}
