import { Cron } from 'croner'

/**
 * Parses a cron expression in UTC; Cloudflare counts weekdays from 1 (Sunday). The returned cron is paused.
 *
 * @throws Error when the expression is malformed
 */
export function parseCron(cron: string): Cron {
  return new Cron(cron, {
    mode: '5-part',
    utcOffset: 0,
    alternativeWeekdays: true,
    paused: true,
  })
}

export function isCron(cron: string): boolean {
  try {
    parseCron(cron)
    return true
  } catch {
    return false
  }
}
