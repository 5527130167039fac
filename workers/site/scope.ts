import type { ServerTimingMetric } from '../../http/server-timing.ts'
import type { Ports, Scope } from './ports.ts'

export type TimedScope = Scope & { timings: ServerTimingMetric[] }

/** Creates the scope of one request; a part that runs several times is measured each time. */
export function createScope(
  { now }: Pick<Ports, 'now'>,
  waitUntil: (work: Promise<unknown>) => void,
): TimedScope {
  const timings: ServerTimingMetric[] = []
  return {
    timings,
    background: waitUntil,
    async measure(name, work) {
      const started = now()
      try {
        return await work
      } finally {
        timings.push({ name, duration: now() - started })
      }
    },
  }
}
