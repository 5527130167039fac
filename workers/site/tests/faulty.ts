import type { D1Binding } from '../database.ts'
import site from '../index.ts'
import type { Kv } from '../ports.ts'

interface Env {
  KV: Kv
  INVALIDATIONS: D1Binding
}

interface Context {
  waitUntil(work: Promise<unknown>): void
}

let failing: readonly string[] = []

/** The site worker with bindings that fail after `/__testing/faults?failing=kv,d1`, and work again after `?failing=`. */
export default {
  async fetch(request: Request, env: Env, context: Context): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/__testing/faults') return site.fetch(request, toFaulty(env), context)
    failing = searchParams.get('failing')?.split(',') ?? []
    return new Response(failing.join())
  },
}

function toFaulty(env: Env): Env {
  const { KV: kv, INVALIDATIONS: d1 } = env
  const failIfBroken =
    <Arguments extends unknown[], T>(
      binding: string,
      operation: (...parameters: Arguments) => Promise<T>,
    ) =>
    async (...parameters: Arguments): Promise<T> => {
      if (failing.includes(binding)) throw new Error(`${binding} fails`)
      return operation(...parameters)
    }
  return {
    ...env,
    KV: {
      get: failIfBroken('kv', (key: string) => kv.get(key)),
      getWithMetadata: failIfBroken('kv', (key: string) => kv.getWithMetadata(key)),
      put: failIfBroken('kv', (...parameters: Parameters<Kv['put']>) => kv.put(...parameters)),
      delete: failIfBroken('kv', (key: string) => kv.delete(key)),
      list: failIfBroken('kv', (...parameters: Parameters<Kv['list']>) => kv.list(...parameters)),
    },
    INVALIDATIONS: {
      prepare: (sql) => d1.prepare(sql),
      batch: failIfBroken('d1', (...parameters: Parameters<D1Binding['batch']>) =>
        d1.batch(...parameters),
      ),
    },
  }
}
