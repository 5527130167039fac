import { findScript, type Hosting } from '../../infra/routing.ts'

interface Script {
  fetch(request: Request): Promise<Response>
  scheduled(event: { cron: string; scheduledTime: Date }): Promise<{ outcome: string }>
}
interface Env {
  HOSTING: Hosting
  /** HTML for a URL that nothing answers. */
  NOWHERE: string
  CRON_TOKEN: string
  [binding: `script:${string}`]: Script
}

/** Runs in workerd in front of every script: what Cloudflare's own router does. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (request.headers.get('local-cron-token') === env.CRON_TOKEN) return trigger(request, env)
    const name = findScript(env.HOSTING, new URL(request.url))
    const script = name === undefined ? undefined : env[`script:${name}`]
    if (script === undefined) {
      const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
      return new Response(env.NOWHERE, { status: 404, headers })
    }
    const forwarded = new Request(request)
    forwarded.headers.set('cf-connecting-ip', '127.0.0.1')
    return script.fetch(forwarded)
  },
}

async function trigger(request: Request, env: Env): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const cron = searchParams.get('cron') ?? ''
  const script = env[`script:${searchParams.get('script')}`]
  const result = await script?.scheduled({ cron, scheduledTime: new Date() })
  return Response.json(result, { status: result?.outcome === 'ok' ? 200 : 500 })
}
