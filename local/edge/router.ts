import { findScript, type Hosting } from '../cloudflare/routing.ts'

interface Fetcher {
  fetch(request: Request): Promise<Response>
}
interface Env {
  HOSTING: Hosting
  /** HTML for a URL that nothing answers. */
  NOWHERE: string
  [binding: `script:${string}`]: Fetcher
}

/** Runs in workerd in front of every script: what Cloudflare's own router does. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const script = findScript(env.HOSTING, new URL(request.url))
    const target = script === undefined ? undefined : env[`script:${script}`]
    if (target === undefined) {
      const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
      return new Response(env.NOWHERE, { status: 404, headers })
    }
    const forwarded = new Request(request)
    forwarded.headers.set('cf-connecting-ip', '127.0.0.1')
    return target.fetch(forwarded)
  },
}
