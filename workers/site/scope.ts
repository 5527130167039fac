import type { Timing } from '../../http/server-timing.ts'
import type { Ports, Scope } from './ports.ts'

export type TimedScope = Scope & { timings: Timing[] }

/** A request's scope; a part that runs several times is measured each time. */
export function createScope(
  { now }: Pick<Ports, 'now'>,
  waitUntil: (work: Promise<unknown>) => void,
): TimedScope {
  const timings: Timing[] = []
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
