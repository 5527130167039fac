import type { MiddlewareHandler } from 'hono'
import { CloudflareError } from './account.ts'

/** Permissions of an API token by path, with the names of Cloudflare's dashboard. */
const PERMISSIONS = [
  { name: 'Workers Scripts', path: /^\/accounts\/[^/]+\/workers\// },
  { name: 'Workers KV Storage', path: /^\/accounts\/[^/]+\/storage\/kv\// },
  { name: 'D1', path: /^\/accounts\/[^/]+\/d1\// },
  { name: 'Workers Routes', path: /^\/zones\/[^/]+\/workers\/routes/ },
  { name: 'DNS', path: /^\/zones\/[^/]+\/dns_records/ },
  { name: 'Cache Purge', path: /^\/zones\/[^/]+\/purge_cache/ },
  { name: 'Zone Settings', path: /^\/zones\/[^/]+\/settings/ },
  { name: 'Zone', path: /^\/zones\/[^/]+$/ },
] as const

/** A permission of a token, such as `D1 Edit`. Edit includes Read. */
export type Grant = `${(typeof PERMISSIONS)[number]['name']} ${'Read' | 'Edit'}`

/** Rejects requests for which the token has no permission, also for missing resources, as Cloudflare does. */
export function requirePermission(grants: readonly Grant[], basePath: string): MiddlewareHandler {
  return async ({ req }, next) => {
    const path = req.path.slice(basePath.length)
    const needed = PERMISSIONS.find((permission) => permission.path.test(path))
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    const isGranted =
      !needed ||
      grants.includes(`${needed.name} Edit`) ||
      (isRead && grants.includes(`${needed.name} Read`))
    if (!isGranted) throw new CloudflareError(403, 10000, 'Authentication error')
    await next()
  }
}
