import { toDatabase } from './database.ts'
import { parseEnv } from './env.ts'
import type { EdgeCache } from './ports.ts'
import { createSite, type Site } from './site.ts'

declare const caches: { readonly default: EdgeCache }

interface Context {
  waitUntil(work: Promise<unknown>): void
}

let site: Site | undefined

export default {
  fetch: (request: Request, env: unknown, context: Context): Promise<Response> =>
    getSite(env).fetch(request, (work) => context.waitUntil(work)),
  scheduled: (_: unknown, env: unknown, context: Context): Promise<void> =>
    getSite(env).scheduled((work) => context.waitUntil(work)),
}

function getSite(env: unknown): Site {
  if (site) return site
  const { config, bindings } = parseEnv(env)
  site = createSite(config, {
    kv: bindings.kv,
    edge: caches.default,
    database: toDatabase(bindings.invalidations),
    fetch: (url, init) => fetch(url, init),
    now: Date.now,
    random: Math.random,
    sleep: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
    allowsSearch: async (network) => (await bindings.searchRate.limit({ key: network })).success,
    logEvent: (level, fields) => console[level](JSON.stringify(fields)),
  })
  return site
}
