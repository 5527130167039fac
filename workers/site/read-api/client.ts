import * as z from 'zod/mini'
import { ArticlePage, articlePath } from '../../../contract/article.ts'
import { AuthorProfile, authorPath } from '../../../contract/author.ts'
import { ChangesResponse, changesPath } from '../../../contract/changes.ts'
import { type LinkedAlternate, parseAlternates } from '../../../contract/link.ts'
import { ListResponse, listPath } from '../../../contract/list.ts'
import { Ping, pingPath } from '../../../contract/ping.ts'
import { SettingsBundle, settingsPath } from '../../../contract/settings.ts'
import { SitemapResponse, sitemapPath } from '../../../contract/sitemap.ts'

/** A definite answer. `nextChange`: the next instant at which time alone may change it (`CMS-Next-Change`). */
export type Answer<T> =
  | ({ type: 'ok'; value: T } & Validity)
  | ({ type: 'not-modified' } & Validity)
  | { type: 'not-found' }
  | { type: 'elsewhere'; alternates: readonly LinkedAlternate[] }

export type Validity = {
  etag: string | undefined
  lastModified: Date | undefined
  nextChange: Date | undefined
}

/** What was asked, relative to the base URL, and how it was answered. */
export type Observation = { path: string } & Answer<unknown>

export type Parameters = Readonly<Record<string, string | number | undefined>>
export type AskOptions = { ifNoneMatch?: string | undefined }

export type ClientOptions = {
  baseUrl: string
  apiKey: string
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Milliseconds that one call may take, its retry and the reading of its body included. */
  deadlineMs: number
  /** Sent as `X-CMS-Preview`: lifts the visibility rule and opens `version`. */
  previewSecret?: string
  observe?: (observation: Observation) => void
}

/** The API gave no definite answer: network error, deadline, 401, 403, 429, 5xx, or an answer outside the contract. */
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
 * The read API as typed calls; every value has been parsed by its schema.
 * A 404 is `not-found`, and so is a 400: parameters of a path that the API does not take lead nowhere.
 * @throws ApiFailure when there is no definite answer
 */
export function createClient(options: ClientOptions) {
  const get = <T>(path: string, schema: z.ZodMiniType<T>, ask: AskOptions = {}) =>
    askOnce(options, path, schema, ask)

  return {
    ping: () => get(pingPath(), Ping),
    settings: (site: string, parameters: Parameters = {}, ask?: AskOptions) =>
      get(withQuery(settingsPath(site), parameters), SettingsBundle, ask),
    article: (site: string, slug: string, parameters: Parameters = {}, ask?: AskOptions) =>
      get(withQuery(articlePath(site, slug), parameters), ArticlePage, ask),
    author: (site: string, slug: string, ask?: AskOptions) =>
      get(authorPath(site, slug), AuthorProfile, ask),
    list: (site: string, parameters: Parameters, ask?: AskOptions) =>
      get(withQuery(listPath(site), parameters), ListResponse, ask),
    sitemap: (site: string, parameters: Parameters = {}, ask?: AskOptions) =>
      get(withQuery(sitemapPath(site), parameters), SitemapResponse, ask),
    changes: (site: string, after?: string) =>
      get(withQuery(changesPath(site), { after }), ChangesResponse),
    /** Asks an observed path again; anything but `not-modified` means that what it once said no longer holds. */
    recheck: (path: string, ifNoneMatch: string) => get(path, z.unknown(), { ifNoneMatch }),
  }
}

async function askOnce<T>(
  options: ClientOptions,
  path: string,
  schema: z.ZodMiniType<T>,
  ask: AskOptions,
): Promise<Answer<T>> {
  try {
    const signal = AbortSignal.timeout(options.deadlineMs)
    const response = await fetchTwice(options, path, toHeaders(options, ask), signal)
    const answer = await toAnswer(response, schema)
    options.observe?.({ path, ...answer })
    return answer
  } catch (cause) {
    if (cause instanceof ApiFailure) throw cause
    throw new ApiFailure(`The read API did not answer: ${toReason(cause)}`, { cause })
  }
}

function toHeaders(options: ClientOptions, { ifNoneMatch }: AskOptions): Record<string, string> {
  return {
    accept: 'application/json',
    authorization: `Bearer ${options.apiKey}`,
    ...(ifNoneMatch && { 'if-none-match': ifNoneMatch }),
    ...(options.previewSecret && { 'x-cms-preview': options.previewSecret }),
  }
}

const RETRIED = [502, 503, 504]

async function fetchTwice(
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
  if (first && !RETRIED.includes(first.status)) return first
  await first?.body?.cancel()
  return attempt()
}

async function toAnswer<T>(response: Response, schema: z.ZodMiniType<T>): Promise<Answer<T>> {
  switch (response.status) {
    case 200:
      return {
        type: 'ok',
        value: parseBody(schema, await response.json()),
        ...toValidity(response),
      }
    case 204:
      return { type: 'elsewhere', alternates: parseAlternates(response.headers.get('link')) }
    case 304:
      return { type: 'not-modified', ...toValidity(response) }
    case 400:
    case 404:
      await response.body?.cancel()
      return { type: 'not-found' }
    default:
      await response.body?.cancel()
      throw new ApiFailure(`The read API answered ${response.status}`, { status: response.status })
  }
}

function parseBody<T>(schema: z.ZodMiniType<T>, body: unknown): T {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map((issue) => issue.path.join('.') || '(body)')
  throw new ApiFailure(`The read API broke the contract at ${fields.join(', ')}`)
}

function toValidity({ headers }: Response): Validity {
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

function withQuery(path: string, parameters: Parameters): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.set(name, String(value))
  return query.size > 0 ? `${path}?${query}` : path
}
