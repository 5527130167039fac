import type { Scope } from './ports.ts'

type Outcome<T> = { ok: true; value: T } | { ok: false; error: unknown }

interface Flight<T> {
  outcome?: Outcome<T>
  settled: Promise<void>
  /** Callers join it before this time, in milliseconds since 1970. */
  until: number
}

/** Returns the value of the work; `collapsed`: another caller has run it. */
export type SingleFlight = <T>(
  key: string,
  scope: Scope,
  work: () => Promise<T>,
) => Promise<{ value: T; collapsed: boolean }>

interface Deps {
  now: () => number
  sleep: (milliseconds: number) => Promise<void>
}

interface Limits {
  /** After this time, a waiting caller repeats work that has not settled. */
  leadTimeoutMs: number
  /** For this time, a settled outcome is shared with later callers. */
  memoryMs: { value: number; failure: number }
}

const POLL_MS = 250
const DEFAULT_LIMITS: Limits = { leadTimeoutMs: 15_000, memoryMs: { value: 1000, failure: 2000 } }

/**
 * Runs the work of a key once for all concurrent callers, and for those that call shortly after it.
 * Waiting callers also poll with their own timers: workerd may drop the continuations of a cancelled
 * request, so its promise may never settle.
 */
export function createSingleFlight(
  { now, sleep }: Deps,
  { leadTimeoutMs, memoryMs }: Limits = DEFAULT_LIMITS,
): SingleFlight {
  const flights = new Map<string, Flight<unknown>>()

  return async <T>(key: string, scope: Scope, work: () => Promise<T>) => {
    for (;;) {
      const joined = flights.get(key) as Flight<T> | undefined
      if (!joined || joined.until <= now())
        return { value: unwrap(await lead(key, scope, work)), collapsed: false }
      const outcome = await wait(joined)
      if (outcome) return { value: unwrap(outcome), collapsed: true }
    }
  }

  async function wait<T>(flight: Flight<T>): Promise<Outcome<T> | undefined> {
    while (!flight.outcome && flight.until > now())
      await Promise.race([flight.settled, sleep(Math.min(POLL_MS, flight.until - now()))])
    return flight.outcome
  }

  async function lead<T>(key: string, scope: Scope, work: () => Promise<T>): Promise<Outcome<T>> {
    const { promise: settled, resolve } = Promise.withResolvers<void>()
    const flight: Flight<T> = { settled, until: now() + leadTimeoutMs }
    removeOld()
    flights.set(key, flight)
    const done = settle(work).then((outcome) => {
      flight.outcome = outcome
      flight.until = now() + (outcome.ok ? memoryMs.value : memoryMs.failure)
      resolve()
      return outcome
    })
    scope.background(done)
    return done
  }

  function removeOld(): void {
    for (const [key, flight] of flights) if (flight.until <= now()) flights.delete(key)
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
