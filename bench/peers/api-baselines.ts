// A program that runs the server that its argument names. It sends the server's address to the parent process, and
// then, for each message it gets, its CPU time so far.
import { type Context, Hono } from 'hono'
import pg from 'pg'
import { createApp } from '../../api/app.ts'
import { toListItem } from '../../api/content/card.ts'
import { createDatabase, type Query } from '../../api/database.ts'
import { serve } from '../../api/entrypoints/serve.ts'
import { readList } from '../../api/lists/queries.ts'
import { toArticlePage } from '../../api/pages/article.ts'
import { readArticle } from '../../api/pages/queries.ts'
import {
  createSiteResolver,
  SITE_BY_NAME,
  type SiteRow,
  type SiteState,
  toSiteState,
} from '../../api/site/resolve.ts'
import { createOracle } from '../../api/tests/oracle.ts'
import { createPrismaClient } from '../../prisma/client.ts'
import { KEY_DIGEST, SITE } from '../lib/api-requests.ts'

const url = process.env.DATABASE_URL ?? ''
const log = { debug: () => {}, info: () => {}, warn: console.error, error: console.error }
const database = createDatabase({ type: 'url', url }, { max: 10, log })
const options = { database, log, keyDigests: [KEY_DIGEST], previewDigests: [], v1Enabled: false }
// Smaller than any response, so every request is a miss.
const TINY_CACHE_BYTES = 8

const SERVERS = {
  api: () => createApp(options),
  'api-without-cache': () => createApp({ ...options, cacheBytes: TINY_CACHE_BYTES }),
  bare: createUncached,
  prisma: createPrismaServer,
  ceiling: createInMemory,
}

/** Creates a baseline of Hono and pg with the statements and the JSON of the API, but without its cache. */
async function createUncached(): Promise<Hono> {
  const pool = new pg.Pool({ connectionString: url, max: 10, options: '-c TimeZone=UTC' })
  // pg prepares only statements with a name.
  const names = new Map<string, string>()
  const query: Query = async ({ text, values }) => {
    const name = names.get(text) ?? `q${names.size}`
    names.set(text, name)
    return (await pool.query({ name, text, values })).rows
  }
  const findSite = async (context: Context): Promise<SiteState> => {
    const name = context.req.param('site') ?? ''
    const [row] = await query<SiteRow>({ text: SITE_BY_NAME, values: [null, name] })
    if (!row) throw new Error(`There is no site "${name}".`)
    return toSiteState(row)
  }
  return new Hono()
    .get('/public/v2/sites/:site/pages/:slug', async (context) => {
      const site = await findSite(context)
      const slug = context.req.param('slug')
      const row = await readArticle(query, {
        site,
        slug,
        language: undefined,
        includesUnpublished: false,
      })
      if (!row) return context.notFound()
      const parts = { site, version: null, related: [], report: () => {} }
      return context.json(toArticlePage(row, parts))
    })
    .get('/public/v2/sites/:site/lists', async (context) => {
      const site = await findSite(context)
      const limit = Number(context.req.query('limit'))
      const rows = await readList(query, { site, selection: { by: 'recent' }, limit: limit + 1 })
      const items = rows.slice(0, limit).map((row) => toListItem(row, site))
      return context.json({ items, next_cursor: null })
    })
}

/** Creates a baseline of Hono with Prisma's queries and the JSON of the API, but without its cache. */
async function createPrismaServer(): Promise<Hono> {
  const prisma = createPrismaClient(url)
  const site = await createSiteResolver(database.query)(SITE)
  return new Hono()
    .get('/public/v2/sites/:site/pages/:slug', async (context) => {
      const oracle = createOracle(prisma, { ...site, now: new Date() })
      return context.json(await oracle.page(context.req.param('slug'), site.defaultLanguage, 0))
    })
    .get('/public/v2/sites/:site/lists', async (context) => {
      const oracle = createOracle(prisma, { ...site, now: new Date() })
      const items = await oracle.recent({}, Number(context.req.query('limit')))
      return context.json({ items, next_cursor: null })
    })
}

/**
 * Creates a baseline of Hono with the API's bodies in memory and
 * without a database: an upper bound for any cache.
 */
async function createInMemory(): Promise<Hono> {
  const app = createApp(options)
  const bodies = new Map<string, string>()
  return new Hono().get('*', async (context) => {
    const body = bodies.get(context.req.url) ?? (await (await app.fetch(context.req.raw)).text())
    bodies.set(context.req.url, body)
    return context.body(body, 200, { 'content-type': 'application/json' })
  })
}

const name = process.argv[2] as keyof typeof SERVERS
const { fetch } = await SERVERS[name]()
const { url: address } = await serve(fetch, 0)
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.send?.(address)
