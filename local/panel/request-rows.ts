import * as z from 'zod/mini'

/** A request that a worker logged. */
export interface RequestRow {
  time: Date
  method: string
  host: string
  path: string
  status: number
  /** Cache layer that had the response, or `origin`. */
  layer: string
  /** `hit`, or why the worker called the origin: `stale`, `uri-miss` … (RFC 9211 §2.2) */
  cacheStatus: string
  milliseconds: number
  /** Number of requests to the read API or the object store before the response. */
  originCalls: number
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
  api_calls: z._default(z.number(), 0),
  attempts: z._default(z.number(), 0),
})

/** Returns the requests in workerd's structured log lines, newest first; ignores other lines. */
export function toRequestRows(lines: readonly string[]): RequestRow[] {
  return lines.flatMap((line) => toRow(line) ?? []).toReversed()
}

function toRow(line: string): RequestRow | undefined {
  const logLine = Line.safeParse(parseJson(line))
  const request = Message.safeParse(logLine.success ? parseJson(logLine.data.message) : undefined)
  if (!logLine.success || !request.success) return undefined
  const { method, host = '', path, status, cache, milliseconds, api_calls, attempts } = request.data
  return {
    time: new Date(logLine.data.timestamp),
    method,
    host,
    path,
    status,
    milliseconds,
    originCalls: api_calls + attempts,
    ...parseCacheStatus(cache ?? ''),
  }
}

/** Returns the layer and the status in a `Cache-Status` header (RFC 9211). */
function parseCacheStatus(header: string): Pick<RequestRow, 'layer' | 'cacheStatus'> {
  const parameters = header
    .split(';')
    .slice(1)
    .map((each) => each.trim())
  const detail = parameters.find((each) => each.startsWith('detail='))?.slice('detail='.length)
  const status = parameters.find((each) => each === 'hit' || each.startsWith('fwd='))
  const isForwarded = status?.startsWith('fwd=')
  return {
    layer: isForwarded ? 'origin' : (detail?.replaceAll('"', '') ?? ''),
    cacheStatus: status?.replace('fwd=', '') ?? '',
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
