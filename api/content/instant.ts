/** Formats a timestamp as ISO 8601. `infinity` and null become a text that does not match the contract. */
export function toInstant(timestamp: Date): string {
  const isDate = timestamp instanceof Date && !Number.isNaN(timestamp.getTime())
  return isDate ? timestamp.toISOString() : String(timestamp)
}
