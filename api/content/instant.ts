/** Formats an instant as ISO 8601. `infinity` and null become a text that the contract does not allow. */
export function toInstant(instant: Date): string {
  const isDate = instant instanceof Date && !Number.isNaN(instant.getTime())
  return isDate ? instant.toISOString() : String(instant)
}
