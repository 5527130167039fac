import * as z from 'zod/mini'

/** One request as a worker logged it. */
export interface RequestRow {
  time: Date
  method: string
  host: string
  path: string
  status: number
  /** `edge`, `kv`, `render`, `origin` …, as `Cache-Status` names it. */
  layer: string
  /** `hit`, `fwd=stale` … */
  verdict: string
  milliseconds: number
  /** Requests to the read API or the store behind it; undefined where the worker does not count them. */
  originCalls: number | undefined
}

const Line = z.object({ timestamp: z.number(), message: z.string() })
const Message = z.object({
  event: z.literal('request'),
  method: z.string(),
  host: z.optional(z.string()),
  path: z.string(),
  status: z.number(),
  cache: z.optional(z.nullable(z.string())),
  milliseconds: z.number(),
  api_calls: z.optional(z.number()),
})

/** Requests among structured log lines of workerd, newest first; other lines are left out. */
export function toRequestRows(lines: readonly string[]): RequestRow[] {
  return lines.flatMap((line) => toRow(line) ?? []).toReversed()
}

function toRow(line: string): RequestRow | undefined {
  const outer = Line.safeParse(parse(line))
  const inner = Message.safeParse(outer.success ? parse(outer.data.message) : undefined)
  if (!outer.success || !inner.success) return undefined
  const { method, host = '', path, status, cache, milliseconds, api_calls } = inner.data
  return {
    time: new Date(outer.data.timestamp),
    ...{ method, host, path, status, milliseconds, originCalls: api_calls },
    ...parseCacheStatus(cache ?? ''),
  }
}

/** Layer and verdict of a `Cache-Status` header (RFC 9211) with a `detail` parameter. */
function parseCacheStatus(header: string): { layer: string; verdict: string } {
  const parameters = header
    .split(';')
    .slice(1)
    .map((each) => each.trim())
  const detail = parameters.find((each) => each.startsWith('detail='))?.slice('detail='.length)
  const verdict = parameters.find((each) => each === 'hit' || each.startsWith('fwd='))
  return { layer: detail?.replaceAll('"', '') ?? '', verdict: verdict?.replace('fwd=', '') ?? '' }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
