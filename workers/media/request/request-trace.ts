import { type CacheStatus, toCacheStatus } from '../../../http/cache-status.ts'
import { type Timing, toServerTiming } from '../../../http/server-timing.ts'
import type { Fill } from '../cache/cache-fill.ts'
import { MISSING_TTL } from '../cache/edge.ts'
import type { Answer } from './response.ts'

/**
 * What one request cost; times in milliseconds. `until` is when the store must have answered, `faults`
 * are those it got over.
 */
export type Visit = {
  startedAt: number
  until: number
  timings: Timing[]
  attempts: number
  fill: Fill
  faults: string[]
}
export type Line = { level: 'info' | 'warn' | 'error'; [field: string]: unknown }

export function createVisit(now: number, patienceMs: number): Visit {
  return {
    startedAt: now,
    until: now + patienceMs,
    timings: [],
    attempts: 0,
    fill: 'none',
    faults: [],
  }
}

/** Age, Cache-Status (RFC 9211) and Server-Timing, where anything was read; `maxAge` in seconds. */
export function toDiagnostics(
  { name, maxAge }: { name: string; maxAge: number },
  answer: Answer,
  { fill, timings }: Visit,
  now: number,
): Record<string, string> {
  if (answer.type !== 'failed' && !('from' in answer)) return {}
  const timing = { 'server-timing': toServerTiming(timings) }
  if (answer.type === 'failed') {
    return { ...timing, 'cache-status': toCacheStatus(name, STORE_FAILED) }
  }
  if (answer.from === 'edge') {
    const age = (now - answer.date.getTime()) / 1000
    const ttl = (answer.type === 'missing' ? MISSING_TTL : maxAge) - age
    const status = toCacheStatus(name, { hit: true, ttl })
    // RFC 9111 §5.1.
    return { ...timing, 'cache-status': status, age: String(Math.max(0, Math.floor(age))) }
  }
  const fwdStatus = answer.type === 'missing' ? 404 : answer.part ? 206 : 200
  const status = toCacheStatus(name, { fwd: 'miss', fwdStatus, ...STORED[fill] })
  return { ...timing, 'cache-status': status }
}

/** What the log line of a request tells of its answer: only what there is to tell. */
export function toAccount(
  answer: Answer,
  { attempts, fill, timings, faults }: Visit,
): Omit<Line, 'level'> {
  const all = answer.type === 'failed' ? [...faults, answer.reason] : faults
  const spent = timings.filter(({ name }) => name === 'store').map(({ duration = 0 }) => duration)
  return {
    ...('from' in answer && { from: answer.from }),
    ...(attempts > 0 && { attempts, fill, store_ms: spent.reduce((sum, ms) => sum + ms, 0) }),
    ...(all.length > 0 && { faults: all }),
  }
}

const STORE_FAILED: CacheStatus = { fwd: 'miss', detail: 'store-failed' }
const STORED: Record<Fill, CacheStatus> = {
  share: { stored: true },
  write: { stored: true },
  fetch: { detail: 'fetched-behind' },
  none: { detail: 'passed-through' },
}
