import { type CacheStatus, toCacheStatus } from '../../../http/cache-status.ts'
import { type ServerTimingMetric, toServerTiming } from '../../../http/server-timing.ts'
import { MISSING_TTL, type ReadResult } from '../object.ts'
import type { MediaOutcome } from './response.ts'

/** `level` is a method of `console`. */
export interface LogLine {
  level: 'info' | 'warn' | 'error'
  [field: string]: unknown
}

/** How a request that went past the edge cache filled it. */
type Fill = keyof typeof FILLS

/** Durations, store reads and survived faults of one request. */
export class RequestTrace {
  readonly startedAt: number
  readonly timings: ServerTimingMetric[] = []
  readonly faults: string[] = []
  /** Undefined while nothing but the edge cache was needed. */
  fill: Fill | undefined
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

  /** Times work that a request can do without: an error becomes a fault, and the result undefined. */
  attempt<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    return this.time(name, work).catch((error) => {
      this.faults.push(`${name}: ${error}`)
      return undefined
    })
  }
}

/** Continues after the response. */
export type WaitUntil = (work: Promise<unknown>) => void
export interface RequestContext {
  trace: RequestTrace
  waitUntil: WaitUntil
}

/** Age, Cache-Status (RFC 9211) and Server-Timing of a read; `maxAge` in seconds. */
export function toDiagnostics(
  { name, maxAge }: { name: string; maxAge: number },
  result: ReadResult,
  { fill, timings }: RequestTrace,
  now: number,
): Record<string, string> {
  const timing = { 'server-timing': toServerTiming(timings) }
  if (result.type === 'failed') {
    return { ...timing, 'cache-status': toCacheStatus(name, STORE_FAILED) }
  }
  if (!fill) {
    const age = (now - result.storedAt) / 1000
    const ttl = (result.type === 'missing' ? MISSING_TTL : maxAge) - age
    const status = toCacheStatus(name, { hit: true, ttl })
    // RFC 9111 §5.1.
    return { ...timing, 'cache-status': status, age: String(Math.max(0, Math.floor(age))) }
  }
  const isPart = result.type === 'found' && result.part
  const fwdStatus = result.type === 'missing' ? 404 : isPart ? 206 : 200
  const status = toCacheStatus(name, { fwd: 'miss', fwdStatus, ...FILLS[fill] })
  return { ...timing, 'cache-status': status }
}

/** Fields of a log line that describe the answer; those without a value are left out. */
export function toLogFields(
  answer: MediaOutcome,
  { fill, storeReads, timings, faults }: RequestTrace,
): Omit<LogLine, 'level'> {
  const all = answer.type === 'failed' ? [...faults, answer.reason] : faults
  const spent = timings.filter(({ name }) => name === 'store').map(({ duration = 0 }) => duration)
  return {
    ...('storedAt' in answer && { from: fill ? 'store' : 'edge' }),
    ...(fill && { attempts: storeReads, fill, store_ms: spent.reduce((sum, ms) => sum + ms, 0) }),
    ...(all.length > 0 && { faults: all }),
  }
}

const STORE_FAILED: CacheStatus = { fwd: 'miss', detail: 'store-failed' }
const FILLS = {
  stored: { stored: true },
  // RFC 9211 §2.7: joined to the store read of another request.
  collapsed: { collapsed: true },
  'passed-through': { detail: 'passed-through' },
} as const satisfies Record<string, CacheStatus>
