import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { type CloudflareAccount, CloudflareError } from './account.ts'
import { serveCollections } from './collections.ts'
import { serveDatabases } from './databases.ts'
import { type Grant, requirePermission } from './permissions.ts'
import { type PurgeTags, servePurgeCache } from './purge-cache.ts'
import { serveScriptParts } from './script-parts.ts'
import { serveScripts } from './scripts.ts'
import { toEnvelope, toErrorEnvelope } from './wire-format.ts'
import { serveZones, type Zone } from './zones.ts'

const BASE_PATH = '/client/v4'

interface CloudflareApiDeps {
  cloudflare: CloudflareAccount
  token: string
  /** The token's permissions; absent: all. */
  grants?: readonly Grant[]
  /** Zones by id; absent: the account has none. */
  zones?: ReadonlyMap<string, Zone>
  /** Absent: a purge has nothing to delete. */
  purgeTags?: PurgeTags
  /** Current time in milliseconds; absent: the system's clock. */
  now?: () => number
  /** Called after each request that changed the account. */
  onChange?: () => void
}

/** Serves the emulated part of Cloudflare's HTTP API v4 (README.md), at `/client/v4`. */
export function createCloudflareApi(deps: CloudflareApiDeps): Hono {
  const { cloudflare, token, grants, zones, onChange, purgeTags = async () => {} } = deps
  const api = new Hono().basePath(BASE_PATH)
  api.use(async ({ req }, next) => {
    const [, given] = /^Bearer (.+)$/.exec(req.header('authorization') ?? '') ?? []
    if (given === undefined) throw new CloudflareError(400, 9106, 'Missing Authorization header')
    if (!isEqualSecret(given, token)) throw new CloudflareError(403, 9109, 'Invalid access token')
    await next()
  })
  if (grants) api.use(requirePermission(grants, BASE_PATH))
  // Before `onChange`: a purge does not change the account.
  servePurgeCache(api, purgeTags, deps.now ?? Date.now)
  api.use(async (context, next) => {
    await next()
    if (context.req.method !== 'GET' && context.res.ok) onChange?.()
  })
  api.get('/user/tokens/verify', ({ json }) => json(toEnvelope({ id: 'local', status: 'active' })))
  serveScripts(api, cloudflare)
  serveScriptParts(api, cloudflare)
  serveCollections(api, cloudflare)
  serveDatabases(api, cloudflare)
  serveZones(api, zones ?? new Map())
  api.notFound(({ req, json }) =>
    json(toErrorEnvelope({ code: 7003, message: `Could not route to ${req.path}` }), 404),
  )
  api.onError((error) => {
    if (error instanceof CloudflareError) {
      return Response.json(toErrorEnvelope(error), { status: error.status })
    }
    if (error instanceof SyntaxError) {
      return Response.json(toErrorEnvelope({ code: 9207, message: 'The body is not JSON' }), {
        status: 400,
      })
    }
    throw error
  })
  return api
}

function isEqualSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
