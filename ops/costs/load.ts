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
  /** Requests past the edge cache. */
  misses: number
  /** Calls of the read API for pages. */
  apiCalls: number
  /** Calls of the read API for the change log. */
  followRuns: number
  /** Reads of the invalidation log. */
  logReads: number
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

/** Computes the load of a stack with these resources, for a number of visitors' requests. */
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
      .reduce((sum, { inputs }) => sum + toLogLines(inputs, requests, misses, crons), 0),
    misses,
    apiCalls: misses * (1 - SITE.storeHits) * SITE.apiCalls,
    followRuns: crons + (hasLog ? toRenewals(requests, INVALIDATION.followSeconds) : 0),
    logReads: hasLog ? toLogReads(requests) : 0,
    cpuMs: traffic.cpuMs,
  }
}

/** One in LOG_SAMPLE edge hits is logged, and all other requests. */
function toLogLines(inputs: unknown, requests: number, misses: number, crons: number): number {
  const { observability, bindings } = Script.parse(inputs)
  const sample = Number(bindings.find(({ name }) => name === 'LOG_SAMPLE')?.text ?? 1)
  return observability.headSamplingRate * ((requests - misses) / sample + misses + crons)
}

function toLogReads(requests: number): number {
  const { dataCentres, renewSeconds } = INVALIDATION
  return dataCentres * toRenewals(requests / dataCentres, renewSeconds)
}

/**
 * Returns the number of renewals in a month of something that is valid for a number of seconds and that the next request
 * renews. Requests are distributed evenly over the month; bursts need fewer renewals.
 */
function toRenewals(requests: number, seconds: number): number {
  if (requests === 0) return 0
  return SECONDS_PER_MONTH / (seconds + SECONDS_PER_MONTH / requests)
}

const runsByCron = new Map<string, number>()

/** Returns the number of runs in a month, from the number of runs in a day. */
function countRuns(cron: string): number {
  const runsOfDay = runsByCron.get(cron) ?? countRunsOfDay(cron)
  runsByCron.set(cron, runsOfDay)
  return (runsOfDay * HOURS_PER_MONTH) / 24
}

function countRunsOfDay(cron: string): number {
  const midnight = new Date('2026-01-01T00:00:00Z')
  const stopAt = new Date(midnight.getTime() + 86_400_000 - 1)
  const clock = new Cron(cron, { timezone: 'UTC', stopAt })
  return clock.nextRuns(86_400, new Date(+midnight - 1)).length
}
