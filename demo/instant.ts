/** `-3d 09:00`: days from the reference, then the time of that day in UTC. */
export const OFFSET = /^([+-]?\d+)d (\d\d):(\d\d)$/

const MINUTE = 60_000
const DAY = 1440 * MINUTE

/** The instant that an offset names; `reference` is a day's beginning in UTC. */
export function toInstant(offset: string, reference: Date): Date {
  const [, days, hours, minutes] = OFFSET.exec(offset) ?? []
  if (days === undefined) throw new Error(`"${offset}" is no offset such as "-3d 09:00"`)
  return new Date(
    reference.getTime() + Number(days) * DAY + (Number(hours) * 60 + Number(minutes)) * MINUTE,
  )
}

/** The beginning of a day in UTC. */
export function startOfDay(instant: Date): Date {
  return new Date(instant.getTime() - (instant.getTime() % DAY))
}

export function addDays(instant: Date, days: number): Date {
  return new Date(instant.getTime() + Math.round(days * DAY))
}
