export interface ServerTimingMetric {
  name: string
  /** Milliseconds. */
  duration?: number
  description?: string
}

/** Creates a Server-Timing value (W3C Server Timing §2). */
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
