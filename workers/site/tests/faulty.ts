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

/** The worker over bindings that `/__testing/faults?failing=kv,d1` breaks and `?failing=` repairs. */
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
  const guard =
    <Given extends unknown[], T>(part: string, operation: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      if (failing.includes(part)) throw new Error(`${part} fails`)
      return operation(...given)
    }
  return {
    ...env,
    KV: {
      get: guard('kv', (key: string) => kv.get(key)),
      getWithMetadata: guard('kv', (key: string) => kv.getWithMetadata(key)),
      put: guard('kv', (...given: Parameters<Kv['put']>) => kv.put(...given)),
      delete: guard('kv', (key: string) => kv.delete(key)),
      list: guard('kv', (...given: Parameters<Kv['list']>) => kv.list(...given)),
    },
    INVALIDATIONS: {
      prepare: (sql) => d1.prepare(sql),
      batch: guard('d1', (...given: Parameters<D1Binding['batch']>) => d1.batch(...given)),
    },
  }
}
