import { findScript, type Hosting } from '../../../infra/routing.ts'

interface Script {
  fetch(request: Request): Promise<Response>
  scheduled(event: { cron: string; scheduledTime: Date }): Promise<{ outcome: string }>
}
declare const caches: { default: { delete(url: string): Promise<boolean> } }

interface Env {
  HOSTING: Hosting
  /** HTML for a URL that nothing answers. */
  NOT_FOUND_PAGE: string
  CONTROL_TOKEN: string
  [binding: `script:${string}`]: Script
}

// https://developers.cloudflare.com/speed/optimization/content/compression/
const TEXT = /^(text\/|image\/svg\+xml)|[/+](json|xml|javascript)\b/

/** Runs in workerd in front of every script: what Cloudflare's own router does. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (request.headers.get('local-control-token') === env.CONTROL_TOKEN) {
      return request.method === 'POST' ? purge(request) : trigger(request, env)
    }
    const name = findScript(env.HOSTING, new URL(request.url))
    const script = name === undefined ? undefined : env[`script:${name}`]
    if (script === undefined) {
      const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
      return new Response(env.NOT_FOUND_PAGE, { status: 404, headers })
    }
    const forwarded = new Request(request)
    forwarded.headers.set('cf-connecting-ip', '127.0.0.1')
    return compress(request, await script.fetch(forwarded))
  },
}

/** Sends text compressed, which makes a strong ETag weak. workerd encodes what the header says. */
function compress(request: Request, response: Response): Response {
  const { status, headers, body } = response
  const isText = TEXT.test(headers.get('content-type') ?? '') && !headers.has('content-encoding')
  const isWanted = request.headers.get('accept-encoding')?.includes('gzip')
  if (status !== 200 || !body || !isText || !isWanted) return response
  const compressed = new Response(body, response)
  compressed.headers.set('content-encoding', 'gzip')
  compressed.headers.append('vary', 'accept-encoding')
  compressed.headers.delete('content-length')
  const etag = headers.get('etag')
  if (etag?.startsWith('"')) compressed.headers.set('etag', `W/${etag}`)
  return compressed
}

/** Deletes entries of the cache that all scripts share; the body lists their keys. */
async function purge(request: Request): Promise<Response> {
  const urls = (await request.json()) as string[]
  for (const url of urls) await caches.default.delete(url)
  return new Response()
}

async function trigger(request: Request, env: Env): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const cron = searchParams.get('cron') ?? ''
  const script = env[`script:${searchParams.get('script')}`]
  const result = await script?.scheduled({ cron, scheduledTime: new Date() })
  return Response.json(result, { status: result?.outcome === 'ok' ? 200 : 500 })
}
