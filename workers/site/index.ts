import { parseEnv } from './env.ts'
import type { EdgeCache } from './ports.ts'
import { createSite, type Site } from './site.ts'

declare const caches: { readonly default: EdgeCache }
type Context = { waitUntil(work: Promise<unknown>): void }

let site: Site | undefined

export default {
  fetch: (request: Request, env: unknown, context: Context): Promise<Response> =>
    siteOf(env).fetch(request, (work) => context.waitUntil(work)),
  scheduled: (_: unknown, env: unknown, context: Context): Promise<void> =>
    siteOf(env).scheduled((work) => context.waitUntil(work)),
}

function siteOf(env: unknown): Site {
  if (site) return site
  const { config, kv, searchRate } = parseEnv(env)
  site = createSite(config, {
    kv,
    edge: caches.default,
    fetch: (url, init) => fetch(url, init),
    now: Date.now,
    random: Math.random,
    sleep: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
    allowsSearch: async (reader) => (await searchRate.limit({ key: reader })).success,
    log: (level, fields) => console[level](JSON.stringify(fields)),
  })
  return site
}
