/** An offset such as `-3d 09:00`: days from the reference day, and the time of day in UTC. */
export const OFFSET = /^([+-]?\d+)d (\d\d):(\d\d)$/

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

/**
 * Returns the instant of an offset; `reference` is the start of a day in UTC.
 *
 * @throws Error when the offset is malformed
 */
export function toInstant(offset: string, reference: Date): Date {
  const [, days, hours, minutes] = OFFSET.exec(offset) ?? []
  if (days === undefined) throw new Error(`"${offset}" is not an offset such as "-3d 09:00"`)
  return new Date(
    reference.getTime() +
      Number(days) * DAY_MS +
      (Number(hours) * 60 + Number(minutes)) * MINUTE_MS,
  )
}

/** Returns the start of an instant's day in UTC. */
export function startOfDay(instant: Date): Date {
  return new Date(instant.getTime() - (instant.getTime() % DAY_MS))
}

export function addDays(instant: Date, days: number): Date {
  return new Date(instant.getTime() + Math.round(days * DAY_MS))
}
