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

/** The site worker. `/__testing/faults?failing=kv,d1` makes its bindings fail, until `?failing=`. */
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
  const withFault =
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
      get: withFault('kv', (key: string) => kv.get(key)),
      getWithMetadata: withFault('kv', (key: string) => kv.getWithMetadata(key)),
      put: withFault('kv', (...parameters: Parameters<Kv['put']>) => kv.put(...parameters)),
      delete: withFault('kv', (key: string) => kv.delete(key)),
      list: withFault('kv', (...parameters: Parameters<Kv['list']>) => kv.list(...parameters)),
    },
    INVALIDATIONS: {
      prepare: (sql) => d1.prepare(sql),
      batch: withFault('d1', (...parameters: Parameters<D1Binding['batch']>) =>
        d1.batch(...parameters),
      ),
    },
  }
}
