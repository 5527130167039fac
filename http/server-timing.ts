export type ServerTimingMetric = { name: string; duration?: number; description?: string }

/** A Server-Timing value; durations are milliseconds (W3C Server Timing §2). */
export function toServerTiming(timings: readonly ServerTimingMetric[]): string {
  return timings.map(toMetric).join(', ')
}

function toMetric({ name, duration, description }: ServerTimingMetric): string {
  const desc = description?.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')
  return [
    name.replace(/[^\w!#$%&'*+\-.^`|~]/g, '_'),
    duration !== undefined && `dur=${Math.round(duration * 10) / 10}`,
    desc !== undefined && `desc="${desc}"`,
  ]
    .filter(Boolean)
    .join(';')
}
