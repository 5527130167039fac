import { Cron } from 'croner'
import * as z from 'zod/mini'
import { HOURS_PER_MONTH, INVALIDATION, MEDIA, SITE } from './traffic.ts'

/** A stack's operations in a month. */
export interface MonthlyLoad {
  /** Requests of visitors. */
  requests: number
  /** Invocations by cron triggers. */
  crons: number
  /** Lines in Workers Logs. */
  logLines: number
  /** Requests that the edge cache does not serve. */
  misses: number
  /** Calls of the read API for pages; without a meaning for a media stack. */
  apiCalls: number
  /** Calls of the read API for the change log. */
  followRuns: number
  /** Reads of the invalidation log. */
  logReads: number
  /** CPU time of a request in milliseconds. */
  cpuMs: number
}

export interface BilledResource {
  type: string
  name: string
  inputs: Record<string, unknown>
}

const CronTrigger = z.object({ schedules: z.array(z.object({ cron: z.string() })) })
const Script = z.object({
  observability: z.object({ headSamplingRate: z.number() }),
  bindings: z._default(z.array(z.object({ name: z.string(), text: z.optional(z.string()) })), []),
})
const SECONDS_PER_MONTH = HOURS_PER_MONTH * 3600

/**
 * Computes the monthly load of a stack with these resources, for a
 * number of visitors' requests in that month.
 */
export function toLoad(resources: readonly BilledResource[], requests: number): MonthlyLoad {
  const has = (type: string) => resources.some((resource) => resource.type === type)
  const traffic = has('WorkersKvNamespace') ? SITE : MEDIA
  const misses = requests * (1 - traffic.edgeHits)
  const crons = resources
    .filter(({ type }) => type === 'WorkersCronTrigger')
    .flatMap(({ inputs }) => CronTrigger.parse(inputs).schedules)
    .reduce((sum, { cron }) => sum + countRuns(cron), 0)
  const hasLog = has('D1Database')
  return {
    requests,
    crons,
    logLines: resources
      .filter(({ type }) => type === 'WorkersScript')
      .reduce((sum, { inputs }) => sum + countLogLines(inputs, requests, misses, crons), 0),
    misses,
    apiCalls: misses * (1 - SITE.kvHits) * SITE.apiCalls,
    followRuns: crons + (hasLog ? countRenewals(requests, INVALIDATION.followSeconds) : 0),
    logReads: hasLog ? countLogReads(requests) : 0,
    cpuMs: traffic.cpuMs,
  }
}

/**
 * Returns the number of log lines: the worker logs one in LOG_SAMPLE hits of the edge cache, every other request
 * and every cron run. Workers Logs keeps the share `headSamplingRate` of them.
 */
function countLogLines(inputs: unknown, requests: number, misses: number, crons: number): number {
  const { observability, bindings } = Script.parse(inputs)
  const sample = Number(bindings.find(({ name }) => name === 'LOG_SAMPLE')?.text ?? 1)
  return observability.headSamplingRate * ((requests - misses) / sample + misses + crons)
}

function countLogReads(requests: number): number {
  const { dataCentres, renewSeconds } = INVALIDATION
  return dataCentres * countRenewals(requests / dataCentres, renewSeconds)
}

/**
 * Returns how often a month a copy is renewed, if it is valid for `validSeconds` and the next request after that
 * time renews it. Requests are distributed evenly over the month; bursts need fewer renewals.
 */
function countRenewals(requests: number, validSeconds: number): number {
  if (requests === 0) return 0
  return SECONDS_PER_MONTH / (validSeconds + SECONDS_PER_MONTH / requests)
}

const runsByCron = new Map<string, number>()

/** Returns the number of runs in a month, if every day has as many runs as `countRunsOfDay` counts. */
function countRuns(cron: string): number {
  const runsOfDay = runsByCron.get(cron) ?? countRunsOfDay(cron)
  runsByCron.set(cron, runsOfDay)
  return (runsOfDay * HOURS_PER_MONTH) / 24
}

function countRunsOfDay(cron: string): number {
  const midnight = new Date('2026-01-01T00:00:00Z')
  const stopAt = new Date(midnight.getTime() + 86_400_000 - 1)
  const schedule = new Cron(cron, { timezone: 'UTC', stopAt })
  // `nextRuns` returns runs after an instant, so it begins a millisecond before midnight.
  return schedule.nextRuns(86_400, new Date(+midnight - 1)).length
}
