import pg from 'pg'
import * as z from 'zod/mini'
import { type ArticlePage, articlePath, ArticlePage as Page } from '../../contract/article.ts'
import { changesPath } from '../../contract/changes.ts'
import { parseRedirect, type Redirect } from '../../contract/redirect.ts'
import { SettingsBundle, settingsPath } from '../../contract/settings.ts'
import { toCanonicalPath } from '../../http/path.ts'
import { decideRoute, type Route } from '../../workers/site/rendering/route.ts'
import { toMessage } from '../lib/command-line.ts'
import { type HttpReply, parseJson, send } from '../lib/send.ts'
import type { Access } from './access.ts'

/** An article as the read API shows it, or why it does not. */
export type ArticleRead =
  | { type: 'found'; article: ArticlePage }
  | { type: 'other-languages'; languages: string[] }
  | { type: 'missing'; redirect: Redirect | undefined }
  | { type: 'failed'; reason: string }

/** Columns of `articles` that the read API does not show. */
const Row = z.object({
  id: z.int(),
  status: z.string(),
  content_type: z.string(),
  language: z.string(),
  published_at: z.nullable(z.string()),
})
export type Row = z.infer<typeof Row>

/** Facts that a page depends on, from the site worker, the read API and, where it can be reached, the database. */
export interface StatusEvidence {
  path: string
  settings: { type: 'found'; bundle: SettingsBundle } | { type: 'failed'; reason: string }
  /** Undefined without settings. */
  route: Route | undefined
  /** Of a route that names an article, or of a static page that may hide one. */
  article: { visible: ArticleRead; preview: ArticleRead } | undefined
  /** Rows with that slug in any language; undefined where the database cannot be reached. */
  rows: readonly Row[] | undefined
  page: { type: 'answer'; reply: HttpReply } | { type: 'failed'; reason: string }
  /** Body of `GET /__cms/health?deep=1`. */
  health: Readonly<Record<string, unknown>>
  /** The newest revision of the database. */
  revision: string | undefined
  /** Parts of content that the read API leaves out because their rows break its contract. */
  omissions: unknown
}

/** Reads all facts about a path; a source that fails is a fact too. */
export async function readFacts(access: Access, given: string): Promise<StatusEvidence> {
  const path = toCanonicalPath(given) ?? given
  const settings = await readSettings(access)
  const route = settings.type === 'found' ? decideRoute(path, settings.bundle) : undefined
  const slug = toSlug(route)
  const [article, rows, page, health, revision, omissions] = await Promise.all([
    slug === undefined ? undefined : readArticle(access, slug, toLanguage(route)),
    slug === undefined ? undefined : readRows(access, slug),
    readPage(access, path),
    readHealth(access),
    readRevision(access),
    readOmissions(access),
  ])
  return { path, settings, route, article, rows, page, health, revision, omissions }
}

/** The slug of an article at this path; a static page may have the same. */
function toSlug(route: Route | undefined): string | undefined {
  if (route?.type === 'article') return route.slug
  return route?.type === 'page' && !route.key.includes('/') ? route.key : undefined
}

function toLanguage(route: Route | undefined): string {
  return route && 'language' in route ? route.language : ''
}

function callApi(
  access: Access,
  path: string,
  more: Record<string, string> = {},
): Promise<HttpReply> {
  const headers = { authorization: `Bearer ${access.apiKey}`, ...more }
  return send(new URL(`${access.apiBaseUrl}${path}`), { headers })
}

async function readSettings(access: Access): Promise<StatusEvidence['settings']> {
  try {
    const { status, text } = await callApi(access, settingsPath(access.site))
    if (status !== 200)
      return { type: 'failed', reason: `the read API answers ${status} to settings` }
    return { type: 'found', bundle: SettingsBundle.parse(JSON.parse(text)) }
  } catch (error) {
    return { type: 'failed', reason: `the read API cannot be read: ${toMessage(error)}` }
  }
}

async function readArticle(access: Access, slug: string, language: string) {
  const path = `${articlePath(access.site, slug)}?language=${language}`
  const [visible, preview] = await Promise.all([
    callApi(access, path).then(toArticleRead, toFailure),
    callApi(access, path, { 'x-cms-preview': access.secret }).then(toArticleRead, toFailure),
  ])
  return { visible, preview }
}

function toArticleRead({ status, headers, text }: HttpReply): ArticleRead {
  if (status === 404) return { type: 'missing', redirect: parseRedirect(text) }
  if (status === 204) {
    const found = (headers.get('link') ?? '').matchAll(/hreflang="([^"]+)"/g)
    return { type: 'other-languages', languages: [...found].map(([, language = '']) => language) }
  }
  if (status !== 200) return { type: 'failed', reason: `the read API answers ${status}` }
  const { success, data } = Page.safeParse(parseJson(text))
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

async function readRows({ databaseUrl, site }: Access, slug: string): Promise<Row[] | undefined> {
  if (!databaseUrl) return undefined
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
    const { rows } = await client.query(ROWS, [slug, site.toLowerCase()])
    return z.array(Row).parse(rows)
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => {})
  }
}

async function readPage({ url }: Access, path: string): Promise<StatusEvidence['page']> {
  try {
    return { type: 'answer', reply: await send(new URL(path, url)) }
  } catch (error) {
    return { type: 'failed', reason: `the site worker cannot be reached: ${toMessage(error)}` }
  }
}

const Health = z.record(z.string(), z.unknown())

async function readHealth({ url, secret }: Access): Promise<StatusEvidence['health']> {
  try {
    const headers = { authorization: `Bearer ${secret}` }
    const { text } = await send(new URL('/__cms/health?deep=1', url), { headers })
    return Health.safeParse(parseJson(text)).data ?? {}
  } catch {
    return {}
  }
}

const Revision = z.object({ revision: z.string() })

async function readRevision(access: Access): Promise<string | undefined> {
  const reply = await callApi(access, changesPath(access.site)).catch(() => undefined)
  return reply && Revision.safeParse(parseJson(reply.text)).data?.revision
}

const Readiness = z.object({ omissions: z.optional(z.unknown()) })

async function readOmissions(access: Access): Promise<unknown> {
  const url = new URL('/readyz', access.apiBaseUrl)
  const headers = { authorization: `Bearer ${access.apiKey}` }
  const reply = await send(url, { headers }).catch(() => undefined)
  return reply && Readiness.safeParse(parseJson(reply.text)).data?.omissions
}
