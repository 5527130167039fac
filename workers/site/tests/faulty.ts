import site from '../index.ts'
import type { Kv } from '../ports.ts'

type Env = { KV: Kv }
type Context = { waitUntil(work: Promise<unknown>): void }

let failing = false

/** The worker over a KV that a request to `/__testing/kv?failing=…` breaks and mends. */
export default {
  async fetch(request: Request, env: Env, context: Context): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/__testing/kv')
      return site.fetch(request, { ...env, KV: toFaulty(env.KV) }, context)
    failing = searchParams.get('failing') === 'true'
    return new Response(String(failing))
  },
}

function toFaulty(kv: Kv): Kv {
  const guard =
    <Given extends unknown[], T>(operation: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      if (failing) throw new Error('KV fails')
      return operation(...given)
    }
  return {
    get: guard((...given: Parameters<Kv['get']>) => kv.get(...given)),
    getWithMetadata: guard((key: string) => kv.getWithMetadata(key)),
    put: guard((...given: Parameters<Kv['put']>) => kv.put(...given)),
    delete: guard((key: string) => kv.delete(key)),
    list: guard((...given: Parameters<Kv['list']>) => kv.list(...given)),
  }
}
