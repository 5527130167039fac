import * as z from 'zod/mini'
import { ArticlePage, articlePath } from '../../../contract/article.ts'
import { AuthorProfile, authorPath } from '../../../contract/author.ts'
import { ChangesResponse, changesPath } from '../../../contract/changes.ts'
import { type LinkedAlternate, parseAlternates } from '../../../contract/link.ts'
import { ListResponse, listPath } from '../../../contract/list.ts'
import { Ping, pingPath } from '../../../contract/ping.ts'
import { parseRedirect, type Redirect } from '../../../contract/redirect.ts'
import { SettingsBundle, settingsPath } from '../../../contract/settings.ts'
import { SitemapResponse, sitemapPath } from '../../../contract/sitemap.ts'
import type { Breaker } from './breaker.ts'

/**
 * Result of a call. `nextChange`: when a scheduled publication may change it (`CMS-Next-Change`).
 * `other-languages` (204): the article exists, but only in these languages.
 */
export type ApiResult<T> =
  | ({ type: 'ok'; value: T } & CacheHeaders)
  | ({ type: 'not-modified' } & CacheHeaders)
  | { type: 'not-found'; redirect?: Redirect | undefined; nextChange?: Date | undefined }
  | { type: 'other-languages'; alternates: readonly LinkedAlternate[] }

type CacheHeaders = {
  etag: string | undefined
  lastModified: Date | undefined
  nextChange: Date | undefined
}

/** The path of a call, relative to the base URL, and its result. */
export type Observation = { path: string } & ApiResult<unknown>

type QueryParameters = Readonly<Record<string, string | number | undefined>>
type Condition = { ifNoneMatch?: string | undefined }

export type ClientOptions = {
  baseUrl: string
  apiKey: string
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Maximum duration of a call in milliseconds, including its retry and reading its body. */
  deadlineMs: number
  /** Sent as `X-CMS-Preview`, so that the API returns unpublished content and older versions. */
  previewSecret?: string
  observe?: (observation: Observation) => void
  /** Shared by the calls of an isolate. */
  breaker?: Breaker | undefined
}

/** A call failed: network error, deadline, open breaker, unexpected status, or a body of another schema. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly status: number | undefined

  constructor(message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.status = options.status
  }
}

export type Client = ReturnType<typeof createClient>

/**
 * Creates a client of the read API, which parses each value by its schema.
 * A 404 is `not-found`, and so is a 400, which a part of the visitor's path (a cursor) can cause.
 * A call that fails rejects with ApiFailure.
 */
export function createClient(options: ClientOptions) {
  const get = <T>(path: string, schema: z.ZodMiniType<T>, condition: Condition = {}) =>
    call(options, path, schema, condition)

  return {
    ping: () => get(pingPath(), Ping),
    settings: (site: string, parameters: QueryParameters = {}, condition?: Condition) =>
      get(withQuery(settingsPath(site), parameters), SettingsBundle, condition),
    article: (
      site: string,
      slug: string,
      parameters: QueryParameters = {},
      condition?: Condition,
    ) => get(withQuery(articlePath(site, slug), parameters), ArticlePage, condition),
    author: (site: string, slug: string, condition?: Condition) =>
      get(authorPath(site, slug), AuthorProfile, condition),
    list: (site: string, parameters: QueryParameters, condition?: Condition) =>
      get(withQuery(listPath(site), parameters), ListResponse, condition),
    sitemap: (site: string, parameters: QueryParameters = {}, condition?: Condition) =>
      get(withQuery(sitemapPath(site), parameters), SitemapResponse, condition),
    changes: (site: string, after?: string, restoreId?: string) =>
      get(withQuery(changesPath(site), { after, restore_id: restoreId }), ChangesResponse),
    /** Repeats an observed call. Any result but `not-modified` means that the response has changed. */
    revalidate: (path: string, ifNoneMatch: string) => get(path, z.unknown(), { ifNoneMatch }),
  }
}

async function call<T>(
  options: ClientOptions,
  path: string,
  schema: z.ZodMiniType<T>,
  condition: Condition,
): Promise<ApiResult<T>> {
  const { breaker, deadlineMs } = options
  const waitMs = breaker?.check()
  if (waitMs !== undefined)
    throw new ApiFailure(`The read API hangs. The next attempt is in ${waitMs} ms.`)
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const response = await fetchWithRetry(options, path, toHeaders(options, condition), signal)
    const result = await toResult(response, schema)
    breaker?.close()
    options.observe?.({ path, ...result })
    return result
  } catch (cause) {
    // The breaker is for an API that hangs. A call that fails in time shows that it does not.
    if (signal.aborted) breaker?.open()
    else breaker?.close()
    if (cause instanceof ApiFailure) throw cause
    throw new ApiFailure(`The read API did not respond: ${toReason(cause)}`, { cause })
  }
}

function toHeaders(options: ClientOptions, { ifNoneMatch }: Condition): Record<string, string> {
  return {
    accept: 'application/json',
    authorization: `Bearer ${options.apiKey}`,
    ...(ifNoneMatch && { 'if-none-match': ifNoneMatch }),
    ...(options.previewSecret && { 'x-cms-preview': options.previewSecret }),
  }
}

const RETRIED_STATUSES = [502, 503, 504]

async function fetchWithRetry(
  options: ClientOptions,
  path: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Response> {
  const attempt = () =>
    options.fetch(`${options.baseUrl}${path}`, { headers, signal, redirect: 'manual' })
  const first = await attempt().catch((cause: unknown) => {
    if (signal.aborted) throw cause
    return undefined
  })
  if (first && !RETRIED_STATUSES.includes(first.status)) return first
  await first?.body?.cancel()
  return attempt()
}

async function toResult<T>(response: Response, schema: z.ZodMiniType<T>): Promise<ApiResult<T>> {
  switch (response.status) {
    case 200:
      return {
        type: 'ok',
        value: parseBody(schema, await response.json()),
        ...toCacheHeaders(response),
      }
    case 204:
      return { type: 'other-languages', alternates: parseAlternates(response.headers.get('link')) }
    case 304:
      return { type: 'not-modified', ...toCacheHeaders(response) }
    case 400:
      await response.body?.cancel()
      return { type: 'not-found' }
    case 404:
      return {
        type: 'not-found',
        redirect: parseRedirect(await response.text()),
        nextChange: toCacheHeaders(response).nextChange,
      }
    default:
      await response.body?.cancel()
      throw new ApiFailure(`The read API responded with status ${response.status}`, {
        status: response.status,
      })
  }
}

function parseBody<T>(schema: z.ZodMiniType<T>, body: unknown): T {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map((issue) => issue.path.join('.') || '(body)')
  throw new ApiFailure(`The read API's response does not match its schema at ${fields.join(', ')}`)
}

function toCacheHeaders({ headers }: Response): CacheHeaders {
  return {
    etag: headers.get('etag') ?? undefined,
    lastModified: toDate(headers.get('last-modified')),
    nextChange: toDate(headers.get('cms-next-change')),
  }
}

function toDate(value: string | null): Date | undefined {
  const date = new Date(value ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const toReason = (cause: unknown): string => (cause instanceof Error ? cause.name : String(cause))

function withQuery(path: string, parameters: QueryParameters): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.set(name, String(value))
  return query.size > 0 ? `${path}?${query}` : path
}
