import pg from 'pg'
import * as z from 'zod/mini'
import { ArticlePage, articlePath } from '../../contract/article.ts'
import { changesPath } from '../../contract/changes.ts'
import { parseRedirect, type Redirect } from '../../contract/redirect.ts'
import { SettingsBundle, settingsPath } from '../../contract/settings.ts'
import { toCanonicalPath } from '../../http/path.ts'
import { decideRoute, type Route } from '../../workers/site/rendering/route.ts'
import { toMessage } from '../lib/command-line.ts'
import { type HttpReply, parseJson, send } from '../lib/send.ts'
import type { StatusSources } from './sources.ts'

/** Result of reading an article from the read API. */
export type ArticleRead =
  | { type: 'found'; article: ArticlePage }
  | { type: 'other-languages'; languages: string[] }
  | { type: 'missing'; redirect: Redirect | undefined }
  | { type: 'failed'; reason: string }

/** Columns of `articles` that the read API does not return. */
const StoredArticle = z.object({
  id: z.int(),
  status: z.string(),
  content_type: z.string(),
  language: z.string(),
  published_at: z.nullable(z.string()),
})
export type StoredArticle = z.infer<typeof StoredArticle>

/** Data on which a page depends, from the site worker, the read API and, if it can be reached, the database. */
export interface StatusEvidence {
  path: string
  settings: { type: 'found'; bundle: SettingsBundle } | { type: 'failed'; reason: string }
  /** Undefined without settings. */
  route: Route | undefined
  /**
   * The article as visitors see it, and as a preview shows it. Defined for the route of an
   * article, and of a static page, which may hide an article.
   */
  article: { visible: ArticleRead; preview: ArticleRead } | undefined
  /** Rows with the article's slug in any language; undefined if the database cannot be reached. */
  rows: readonly StoredArticle[] | undefined
  page: { type: 'responded'; reply: HttpReply } | { type: 'failed'; reason: string }
  /** Body of `GET /__cms/health?deep=1`. */
  health: Readonly<Record<string, unknown>>
  /** The newest revision of the database; undefined if the read API does not return it. */
  revision: string | undefined
  /** Number of values that a process of the read API omitted because of invalid rows; undefined if it is unknown. */
  omissions: unknown
}

/**
 * Reads all evidence about a path. It does not throw when a source
 * fails: the failure is part of the evidence.
 */
export async function readEvidence(
  sources: StatusSources,
  givenPath: string,
): Promise<StatusEvidence> {
  const path = toCanonicalPath(givenPath) ?? givenPath
  const settings = await readSettings(sources)
  const route = settings.type === 'found' ? decideRoute(path, settings.bundle) : undefined
  const slug = toSlug(route)
  const [article, rows, page, health, revision, omissions] = await Promise.all([
    slug === undefined ? undefined : readArticle(sources, slug, toLanguage(route)),
    slug === undefined ? undefined : readRows(sources, slug),
    readPage(sources, path),
    readHealth(sources),
    readRevision(sources),
    readOmissions(sources),
  ])
  return { path, settings, route, article, rows, page, health, revision, omissions }
}

/** Returns the slug of an article at this path, which may also be the path of a static page. */
function toSlug(route: Route | undefined): string | undefined {
  if (route?.type === 'article') return route.slug
  return route?.type === 'page' && !route.key.includes('/') ? route.key : undefined
}

function toLanguage(route: Route | undefined): string {
  return route && 'language' in route ? route.language : ''
}

function callApi(
  sources: StatusSources,
  path: string,
  extraHeaders: Record<string, string> = {},
): Promise<HttpReply> {
  const headers = { authorization: `Bearer ${sources.apiKey}`, ...extraHeaders }
  return send(new URL(`${sources.apiBaseUrl}${path}`), { headers })
}

async function readSettings(sources: StatusSources): Promise<StatusEvidence['settings']> {
  try {
    const { status, text } = await callApi(sources, settingsPath(sources.site))
    if (status !== 200)
      return { type: 'failed', reason: `the read API responds with ${status} for the settings` }
    return { type: 'found', bundle: SettingsBundle.parse(JSON.parse(text)) }
  } catch (error) {
    return { type: 'failed', reason: `the read API cannot be read: ${toMessage(error)}` }
  }
}

async function readArticle(sources: StatusSources, slug: string, language: string) {
  const path = `${articlePath(sources.site, slug)}?language=${language}`
  const [visible, preview] = await Promise.all([
    callApi(sources, path).then(toArticleRead, toFailure),
    callApi(sources, path, { 'x-cms-preview': sources.secret }).then(toArticleRead, toFailure),
  ])
  return { visible, preview }
}

function toArticleRead({ status, headers, text }: HttpReply): ArticleRead {
  if (status === 404) return { type: 'missing', redirect: parseRedirect(text) }
  if (status === 204) {
    const links = (headers.get('link') ?? '').matchAll(/hreflang="([^"]+)"/g)
    return { type: 'other-languages', languages: [...links].map(([, language = '']) => language) }
  }
  if (status !== 200) return { type: 'failed', reason: `the read API responds with ${status}` }
  const { success, data } = ArticlePage.safeParse(parseJson(text))
  if (success) return { type: 'found', article: data }
  return { type: 'failed', reason: "the read API's response does not match its schema" }
}

function toFailure(error: unknown): ArticleRead {
  return { type: 'failed', reason: `the read API cannot be read: ${toMessage(error)}` }
}

const ROWS = `SELECT a.id, status, content_type, language,
  to_char(published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS published_at
FROM articles a JOIN sites s ON s.id = site_id
WHERE slug = $1 AND $2 IN (s.id::text, lower(acronym), lower(domain)) ORDER BY language, a.id`

async function readRows(
  { databaseUrl, site }: StatusSources,
  slug: string,
): Promise<StoredArticle[] | undefined> {
  if (!databaseUrl) return undefined
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
    const { rows } = await client.query(ROWS, [slug, site.toLowerCase()])
    return z.array(StoredArticle).parse(rows)
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => {})
  }
}

async function readPage({ url }: StatusSources, path: string): Promise<StatusEvidence['page']> {
  try {
    return { type: 'responded', reply: await send(new URL(path, url)) }
  } catch (error) {
    return { type: 'failed', reason: `the site worker cannot be reached: ${toMessage(error)}` }
  }
}

const Health = z.record(z.string(), z.unknown())

async function readHealth({ url, secret }: StatusSources): Promise<StatusEvidence['health']> {
  try {
    const headers = { authorization: `Bearer ${secret}` }
    const { text } = await send(new URL('/__cms/health?deep=1', url), { headers })
    return Health.safeParse(parseJson(text)).data ?? {}
  } catch {
    return {}
  }
}

const Revision = z.object({ revision: z.string() })

async function readRevision(sources: StatusSources): Promise<string | undefined> {
  const reply = await callApi(sources, changesPath(sources.site)).catch(() => undefined)
  return reply && Revision.safeParse(parseJson(reply.text)).data?.revision
}

const Readiness = z.object({ omissions: z.optional(z.unknown()) })

async function readOmissions(sources: StatusSources): Promise<unknown> {
  const url = new URL('/readyz', sources.apiBaseUrl)
  const headers = { authorization: `Bearer ${sources.apiKey}` }
  const reply = await send(url, { headers }).catch(() => undefined)
  return reply && Readiness.safeParse(parseJson(reply.text)).data?.omissions
}
