import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { type Cloudflare, Refusal } from './account.ts'
import { serveCollections } from './collections.ts'
import { serveDatabases } from './databases.ts'
import { serveScriptParts } from './script-parts.ts'
import { serveScripts } from './scripts.ts'
import { toEnvelope, toErrorEnvelope } from './wire-format.ts'

interface Options {
  cloudflare: Cloudflare
  token: string
  /** Told after each call that has changed the account. */
  onChange?: () => void
}

/** Cloudflare's HTTP API v4 over an account, as far as workers need it (developers.cloudflare.com/api). */
export function createDoor({ cloudflare, token, onChange }: Options): Hono {
  const door = new Hono().basePath('/client/v4')
  door.use(async ({ req }, next) => {
    const [, given] = /^Bearer (.+)$/.exec(req.header('authorization') ?? '') ?? []
    if (given === undefined) throw new Refusal(400, 9106, 'Missing Authorization header')
    if (!isSame(given, token)) throw new Refusal(403, 9109, 'Invalid access token')
    await next()
  })
  door.use(async (context, next) => {
    await next()
    if (context.req.method !== 'GET' && context.res.ok) onChange?.()
  })
  door.get('/user/tokens/verify', ({ json }) => json(toEnvelope({ id: 'local', status: 'active' })))
  serveScripts(door, cloudflare)
  serveScriptParts(door, cloudflare)
  serveCollections(door, cloudflare)
  serveDatabases(door, cloudflare)
  door.notFound(({ req, json }) =>
    json(toErrorEnvelope({ code: 7003, message: `Could not route to ${req.path}` }), 404),
  )
  door.onError((error) => {
    if (error instanceof Refusal) {
      return Response.json(toErrorEnvelope(error), { status: error.status })
    }
    if (error instanceof SyntaxError) {
      return Response.json(toErrorEnvelope({ code: 9207, message: 'No JSON' }), { status: 400 })
    }
    throw error
  })
  return door
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
