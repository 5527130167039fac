import type { Scope } from '../ports.ts'

type Outcome<T> = { ok: true; value: T } | { ok: false; error: unknown }
type Flight<T> = { outcome?: Outcome<T>; landed: Promise<void>; until: number }

export type Flights = <T>(
  key: string,
  scope: Scope,
  work: () => Promise<T>,
) => Promise<{ value: T; collapsed: boolean }>

const GLANCE_MS = 250
const PATIENCE_MS = 15_000
/** Who missed a layer while the value was on its way into it comes a little late; a failure spares the API. */
const MEMORY_MS = { value: 1000, failure: 2000 }

/**
 * Runs the work of one key once for all who ask meanwhile, or within a second after it, two if it failed.
 * Waiters read a plain value on their own timers: the runtime may drop the continuations of a
 * cancelled owner, and then the first waiter out of patience takes over.
 */
export function createFlights(ports: {
  now: () => number
  sleep: (milliseconds: number) => Promise<void>
}): Flights {
  const flights = new Map<string, Flight<unknown>>()

  return async <T>(key: string, scope: Scope, work: () => Promise<T>) => {
    for (;;) {
      const joined = flights.get(key) as Flight<T> | undefined
      if (!joined || joined.until <= ports.now())
        return { value: unwrap(await own(key, scope, work)), collapsed: false }
      const outcome = await wait(joined)
      if (outcome) return { value: unwrap(outcome), collapsed: true }
    }
  }

  async function wait<T>(flight: Flight<T>): Promise<Outcome<T> | undefined> {
    while (!flight.outcome && flight.until > ports.now())
      await Promise.race([flight.landed, ports.sleep(GLANCE_MS)])
    return flight.outcome
  }

  async function own<T>(key: string, scope: Scope, work: () => Promise<T>): Promise<Outcome<T>> {
    const { promise: landed, resolve: land } = Promise.withResolvers<void>()
    const flight: Flight<T> = { landed, until: ports.now() + PATIENCE_MS }
    sweep()
    flights.set(key, flight)
    const done = settle(work).then((outcome) => {
      flight.outcome = outcome
      flight.until = ports.now() + (outcome.ok ? MEMORY_MS.value : MEMORY_MS.failure)
      land()
      return outcome
    })
    scope.background(done)
    return done
  }

  function sweep(): void {
    const now = ports.now()
    for (const [key, flight] of flights) if (flight.until <= now) flights.delete(key)
  }
}

async function settle<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    return { ok: false, error }
  }
}

function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value
  throw outcome.error
}
