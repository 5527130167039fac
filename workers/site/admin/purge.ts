import * as z from 'zod/mini'
import { MAX_URLS, PurgeRequest, type PurgeResponse } from '../../../contract/purge.ts'
import { toCanonicalPath, toRawPath } from '../../../http/path.ts'
import { toProblemResponse } from '../../../http/problem.ts'
import { parseJson } from '../cache/json.ts'
import { toHost } from '../decide.ts'
import type { Config } from '../env.ts'
import { deleteVoidPages, type Progress } from '../invalidation/delete-purged-entries.ts'
import type { Voids } from '../invalidation/invalidator.ts'
import type { Ports } from '../ports.ts'
import { readText } from './body.ts'
import { refuse } from './check-admin-secret.ts'

const MAX_BODY_BYTES = 64 * 1024
/** The longest life of an edge copy, after which no data centre can hold what a lost record voided. */
const CONVERGES_WITHIN_SECONDS = 300

// What a URL parser would mend (`https:/host`, a backslash) is refused: it reads another path than was meant.
const ABSOLUTE = /^https?:\/\/[^/\\?#@]+(?:[/?#]|$)/i

type Tools = { config: Config; ports: Ports; voids: Voids }

const Cursor = z.strictObject({ floor: z.int(), list: z.optional(z.string()) })

/** `POST /__cms/purge`. Refuses before it reads, reads before it judges, and judges before it deletes anything. */
export async function answerPurge(request: Request, tools: Tools): Promise<Response> {
  if (request.method !== 'POST')
    return toProblemResponse({ status: 405, title: 'A purge is posted' }, { allow: 'POST' })
  const refusal = await refuse(request, tools.config)
  if (refusal) return refusal
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    return toProblemResponse({ status: 415, title: 'A purge is application/json' })
  const text = await readText(request, MAX_BODY_BYTES)
  if (text === undefined)
    return toProblemResponse({ status: 413, title: 'A purge has at most 64 KiB' })
  const order = parseJson(text, PurgeRequest)
  if (!order)
    return toInvalid(`exactly one of url, urls (1 to ${MAX_URLS}) and site: true, beside host`)
  if (toHost(order.host) !== tools.config.host)
    return toInvalid('host is not the host of this site')
  return 'site' in order ? purgeSite(order.cursor, tools) : purgePaths(order, tools)
}

async function purgePaths(
  order: { url: string } | { urls: readonly string[] },
  { config, voids }: Tools,
): Promise<Response> {
  const urls = 'url' in order ? [order.url] : order.urls
  const paths = urls.map((url) => toPath(url, config.host))
  if (paths.some((path) => path === undefined))
    return toInvalid('every url is a path, or an absolute URL of this host')
  const unique = [...new Set(paths.filter((path) => path !== undefined))]
  const deleted = await voids.paths(unique)
  return deleted === undefined ? toRefused() : toDone(config, 'urls', { deleted })
}

async function purgeSite(text: string | undefined, tools: Tools): Promise<Response> {
  const { config, ports, voids } = tools
  const cursor = text === undefined ? { floor: ports.now() } : parseCursor(text)
  if (!cursor) return toInvalid('cursor is not one of this endpoint')
  if (text === undefined && !(await voids.site(cursor.floor))) return toRefused()
  const progress = await deleteVoidPages(cursor, config.host, ports, voids)
  if (progress.list === undefined && !(await voids.deleteSettings())) return toRefused()
  return toDone(config, 'site', progress, cursor.floor)
}

function toDone(
  { host }: Config,
  scope: 'urls' | 'site',
  { deleted, list }: Partial<Progress> & { deleted: number },
  floor = 0,
): Response {
  const done = { host, scope, deleted, converges_within_seconds: CONVERGES_WITHIN_SECONDS }
  const body: PurgeResponse =
    list === undefined
      ? { ...done, complete: true }
      : { ...done, complete: false, cursor: btoa(JSON.stringify({ floor, list })) }
  const headers = { 'cache-control': 'no-store' }
  return Response.json(body, { status: body.complete ? 200 : 202, headers })
}

function toPath(url: string, host: string): string | undefined {
  if (url.startsWith('/')) return toCanonicalPath(url.replace(/[?#].*$/s, ''))
  const absolute = ABSOLUTE.test(url) && URL.parse(url)
  if (!absolute || toHost(absolute.host) !== host) return undefined
  return toCanonicalPath(toRawPath(url))
}

function parseCursor(text: string): z.infer<typeof Cursor> | undefined {
  try {
    return parseJson(atob(text), Cursor)
  } catch {
    return undefined
  }
}

function toInvalid(detail: string): Response {
  const problem = { status: 400, title: 'The purge is not valid', code: 'validation_error', detail }
  return toProblemResponse(problem)
}

function toRefused(): Response {
  const problem = { status: 503, title: 'The store took no write', code: 'service_unavailable' }
  return toProblemResponse(problem, { 'retry-after': '5' })
}
