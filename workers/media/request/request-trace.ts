import { type CacheStatus, toCacheStatus } from '../../../http/cache-status.ts'
import { type ServerTimingMetric, toServerTiming } from '../../../http/server-timing.ts'
import { MISSING_TTL } from '../object.ts'
import type { MediaOutcome } from './response.ts'

/** Lets work continue after the response (`ctx.waitUntil`). */
export type WaitUntil = (work: Promise<unknown>) => void
export interface RequestContext {
  trace: RequestTrace
  waitUntil: WaitUntil
}
/** `level` is a method of `console`. */
export interface LogLine {
  level: 'info' | 'warn' | 'error'
  [field: string]: unknown
}

/** Durations, store reads and faults of one request; a fault is an error that did not fail the request. */
export class RequestTrace {
  readonly startedAt: number
  readonly timings: ServerTimingMetric[] = []
  readonly faults: string[] = []
  /** How the response of the store got into the cache, if at all; undefined if the store was not read. */
  fill: keyof typeof FILLS | undefined
  storeReads = 0
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
    this.startedAt = now()
  }

  async time<T>(name: string, work: () => Promise<T>): Promise<T> {
    const started = this.#now()
    try {
      return await work()
    } finally {
      this.timings.push({ name, duration: this.#now() - started })
    }
  }

  /** Measures work that may fail: an error is recorded as a fault, and the result is undefined. */
  attempt<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    return this.time(name, work).catch((error) => {
      this.faults.push(`${name}: ${error}`)
      return undefined
    })
  }
}

/** Returns Cache-Status (RFC 9211), Server-Timing and, for a hit, Age. `maxAge` is in seconds, `now` in ms. */
export function toDiagnostics(
  { name, maxAge }: { name: string; maxAge: number },
  outcome: MediaOutcome,
  { fill, timings, faults }: RequestTrace,
  now: number,
): Record<string, string> {
  const timing = { 'server-timing': toServerTiming(timings) }
  if (outcome.type === 'failed') {
    const status = { fwd: 'miss', detail: 'store-failed' } as const
    return { ...timing, 'cache-status': toCacheStatus(name, status) }
  }
  if (!('storedAt' in outcome)) return {}
  const isMissing = outcome.type === 'missing'
  if (fill) {
    const fwdStatus = isMissing ? 404 : outcome.type === 'found' && outcome.part ? 206 : 200
    // A cache that has failed will probably not store the response.
    const isStored = fill === 'stored' && faults.length === 0
    const status = { fwd: 'miss', fwdStatus, ...FILLS[fill], stored: isStored } as const
    return { ...timing, 'cache-status': toCacheStatus(name, status) }
  }
  const age = (now - outcome.storedAt) / 1000
  const status = { hit: true, ttl: (isMissing ? MISSING_TTL : maxAge) - age }
  // RFC 9111 §5.1.
  const ageHeader = { age: String(Math.max(0, Math.floor(age))) }
  return { ...timing, ...ageHeader, 'cache-status': toCacheStatus(name, status) }
}

/** Returns the fields of a log line that describe the outcome, without undefined ones. */
export function toLogFields(
  outcome: MediaOutcome,
  { fill, storeReads, timings, faults }: RequestTrace,
): Omit<LogLine, 'level'> {
  const allFaults = outcome.type === 'failed' ? [...faults, outcome.reason] : faults
  const times = timings.filter(({ name }) => name === 'store').map(({ duration = 0 }) => duration)
  return {
    ...('storedAt' in outcome && { from: fill ? 'store' : 'edge' }),
    ...(fill && { attempts: storeReads, fill, store_ms: times.reduce((sum, ms) => sum + ms, 0) }),
    ...(allFaults.length > 0 && { faults: allFaults }),
  }
}

// Parameters of Cache-Status. RFC 9211 §2.6: a collapsed request waited for the store read of another one.
const FILLS = {
  stored: {},
  collapsed: { collapsed: true },
  'passed-through': { detail: 'passed-through' },
} as const satisfies Record<string, CacheStatus>
