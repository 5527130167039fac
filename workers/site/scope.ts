import type { ServerTimingMetric } from '../../http/server-timing.ts'
import type { Ports, Scope } from './ports.ts'

export type TimedScope = Scope & { timings: ServerTimingMetric[] }

/** Creates a scope. `timings` has one entry, in milliseconds, for each call of `measure`. */
export function createScope(
  { now }: Pick<Ports, 'now'>,
  waitUntil: (work: Promise<unknown>) => void,
): TimedScope {
  const timings: ServerTimingMetric[] = []
  return {
    timings,
    background: waitUntil,
    async measure(name, work) {
      const startedAt = now()
      try {
        return await work
      } finally {
        timings.push({ name, duration: now() - startedAt })
      }
    },
  }
}
