import { type CacheStatus, toCacheStatus } from '../../http/cache-status.ts'
import { type Timing, toServerTiming } from '../../http/server-timing.ts'
import type { Answer } from './answer.ts'
import { MISSING_TTL } from './edge.ts'
import type { Fill } from './fill.ts'

/** What one request cost; times in milliseconds. `faults` are those it got over. */
export type Visit = {
  startedAt: number
  timings: Timing[]
  attempts: number
  fill: Fill
  faults: string[]
}
export type Line = { level: 'info' | 'warn' | 'error'; [field: string]: unknown }
export type Exchange = { method: string; host: string; path: string; status: number }
export type Told = {
  answer: Answer
  visit: Visit
  name: string
  version: string
  maxAge: number
  now: number
}

export function createVisit(now: number): Visit {
  return { startedAt: now, timings: [], attempts: 0, fill: 'none', faults: [] }
}

/** Cache-Status (RFC 9211) and Server-Timing, where anything was read. */
export function toDiagnostics(told: Told): Record<string, string> {
  const status = toStatus(told)
  return {
    ...(status && { 'cache-status': toCacheStatus(told.name, status) }),
    ...(status && { 'server-timing': toServerTiming(told.visit.timings) }),
  }
}

/** The one log line of a request: no query, none of its headers, and only what there is to tell. */
export function toLine(exchange: Exchange, { answer, visit, name, version, now }: Told): Line {
  const { attempts, fill, timings } = visit
  const faults = answer.type === 'failed' ? [...visit.faults, answer.reason] : visit.faults
  const spent = timings.filter((each) => each.name === 'store').map((each) => each.duration ?? 0)
  return {
    level: answer.type === 'failed' ? 'error' : 'info',
    worker: name,
    version,
    ...exchange,
    ms: now - visit.startedAt,
    ...('from' in answer && { from: answer.from }),
    ...(attempts > 0 && { attempts, fill, store_ms: spent.reduce((sum, ms) => sum + ms, 0) }),
    ...(faults.length > 0 && { faults }),
  }
}

function toStatus({ answer, visit, maxAge, now }: Told): CacheStatus | undefined {
  if (answer.type === 'failed') return { fwd: 'miss', detail: 'store-failed' }
  if (!('from' in answer)) return undefined
  const isMissing = answer.type === 'missing'
  const { date } = isMissing ? answer : answer.object
  const lifetime = isMissing ? MISSING_TTL : maxAge
  if (answer.from === 'edge') return { hit: true, ttl: lifetime - (now - date.getTime()) / 1000 }
  return {
    fwd: 'miss',
    fwdStatus: isMissing ? 404 : answer.part ? 206 : 200,
    ...toStored(visit.fill),
  }
}

function toStored(fill: Fill): CacheStatus {
  switch (fill) {
    case 'share':
    case 'write':
      return { stored: true }
    case 'fetch':
      return { detail: 'fetched-behind' }
    case 'none':
      return { detail: 'passed-through' }
    default:
      return fill satisfies never
  }
}
