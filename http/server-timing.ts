export type Timing = { name: string; duration?: number; description?: string }

/** A Server-Timing value; durations are milliseconds (W3C Server Timing §2). */
export function toServerTiming(timings: readonly Timing[]): string {
  return timings.map(toMetric).join(', ')
}

function toMetric({ name, duration, description }: Timing): string {
  const desc = description?.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')
  return [
    name.replace(/[^\w!#$%&'*+\-.^`|~]/g, '_'),
    duration !== undefined && `dur=${Math.round(duration * 10) / 10}`,
    desc !== undefined && `desc="${desc}"`,
  ]
    .filter(Boolean)
    .join(';')
}
