import { findScript, type Hosting } from '../../../infra/routing.ts'

interface Script {
  fetch(request: Request): Promise<Response>
  scheduled(event: { cron: string; scheduledTime: Date }): Promise<{ outcome: string }>
}
interface Env {
  HOSTING: Hosting
  /** HTML for a host without a route. */
  NOT_FOUND_PAGE: string
  /** Secret of internal requests. */
  EDGE_TOKEN: string
  /** The panel, which is served on localhost and 127.0.0.1. */
  PANEL?: { fetch(request: Request): Promise<Response> }
  [script: `script:${string}`]: Script
  [namespace: `kv:${string}`]: Namespace
  [database: `d1:${string}`]: Database
}

interface Namespace {
  list(options: { prefix: string; limit: number }): Promise<{
    keys: { name: string; metadata?: unknown }[]
    list_complete: boolean
  }>
}
interface Database {
  prepare(sql: string): { all(): Promise<{ results: unknown[] }> }
}

declare const caches: {
  default: {
    match(url: string): Promise<Response | undefined>
    delete(url: string): Promise<boolean>
  }
}

const PANEL_HOSTS = ['localhost', '127.0.0.1']
const MAX_ENTRIES = 100

// Media types that Cloudflare compresses:
// https://developers.cloudflare.com/speed/optimization/content/compression/
const TEXT = /^(text\/|image\/svg\+xml)|[/+](json|xml|javascript)\b/

/** Runs in workerd in front of all scripts, as Cloudflare's router does. Also handles internal requests. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (request.headers.get('local-cron-token') === env.EDGE_TOKEN) return triggerCron(request, env)
    if (request.headers.get('local-code-token') === env.EDGE_TOKEN) {
      const script = env[`script:${new URL(request.url).searchParams.get('script')}`]
      return script?.fetch(request) ?? new Response(null, { status: 404 })
    }
    if (request.headers.get('local-inspect-token') === env.EDGE_TOKEN) return inspect(request, env)
    if (request.headers.get('local-purge-token') === env.EDGE_TOKEN) return purge(request)
    const url = new URL(request.url)
    const name = findScript(env.HOSTING, url)
    const script = name === undefined ? undefined : env[`script:${name}`]
    if (script === undefined && env.PANEL && PANEL_HOSTS.includes(url.hostname))
      return env.PANEL.fetch(request)
    if (script === undefined) {
      const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
      return new Response(env.NOT_FOUND_PAGE, { status: 404, headers })
    }
    const forwarded = new Request(request)
    forwarded.headers.set('cf-connecting-ip', '127.0.0.1')
    return compress(request, await script.fetch(forwarded))
  },
}

/** Compresses text and weakens its ETag. workerd encodes the body as `content-encoding` declares. */
function compress(request: Request, response: Response): Response {
  const { status, headers, body } = response
  const isText = TEXT.test(headers.get('content-type') ?? '') && !headers.has('content-encoding')
  const acceptsGzip = request.headers.get('accept-encoding')?.includes('gzip')
  if (status !== 200 || !body || !isText || !acceptsGzip) return response
  const compressed = new Response(body, response)
  compressed.headers.set('content-encoding', 'gzip')
  compressed.headers.append('vary', 'accept-encoding')
  compressed.headers.delete('content-length')
  const etag = headers.get('etag')
  if (etag?.startsWith('"')) compressed.headers.set('etag', `W/${etag}`)
  return compressed
}

/** Deletes entries of the cache that all scripts share; the body is a list of their URLs. */
async function purge(request: Request): Promise<Response> {
  const urls = (await request.json()) as string[]
  for (const url of urls) await caches.default.delete(url)
  return new Response(null, { status: 204 })
}

async function triggerCron(request: Request, env: Env): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const cron = searchParams.get('cron') ?? ''
  const script = env[`script:${searchParams.get('script')}`]
  const result = await script?.scheduled({ cron, scheduledTime: new Date() })
  return Response.json(result, { status: result?.outcome === 'ok' ? 200 : 500 })
}

/** Responds with the entries of a host in KV and the edge cache, and the newest rows of its log. */
async function inspect(request: Request, env: Env): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const listing = { prefix: `${searchParams.get('host')}:`, limit: MAX_ENTRIES }
  const listed = await env[`kv:${searchParams.get('namespaceId')}`]?.list(listing)
  const entries = (listed?.keys ?? []).map(async ({ name, metadata = null }) => {
    // The key `<host>:<path>` belongs to the URL `https://<host><path>` (workers/site/keys.ts).
    const copy = await caches.default.match(`https://${name.replace(':', '')}`)
    await copy?.body?.cancel()
    const edgeAge = copy ? Number(copy.headers.get('age') ?? 0) : null
    return { key: name, metadata, edgeAge }
  })
  const database = env[`d1:${searchParams.get('databaseId')}`]
  const [invalidations = [], states = []] = await Promise.all(
    [SELECT_INVALIDATIONS, SELECT_STATE].map((sql) => database && selectRows(database, sql)),
  )
  return Response.json({
    entries: await Promise.all(entries),
    isComplete: listed?.list_complete ?? true,
    invalidations,
    state: states[0] ?? null,
  })
}

const SELECT_INVALIDATIONS =
  'SELECT path, kind, sequence, written_at FROM invalidations ORDER BY sequence DESC LIMIT 5000'
const SELECT_STATE = 'SELECT sequence, revision, followed_at, failure FROM state'

// Returns no rows before the worker has created its tables, on first use.
async function selectRows(database: Database, sql: string): Promise<unknown[]> {
  const { results } = await database
    .prepare(sql)
    .all()
    .catch(() => ({ results: [] }))
  return results
}
