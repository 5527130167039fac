import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { type Cloudflare, Refusal } from '../cloudflare.ts'
import { serveAccount } from './account.ts'
import { serveScripts } from './scripts.ts'
import { toEnvelope, toErrorEnvelope } from './wire.ts'
import { serveZone } from './zone.ts'

interface Options {
  cloudflare: Cloudflare
  token: string
  /** Told after each call that has changed the account. */
  onChange?: () => void
}

/**
 * Cloudflare's HTTP API v4 over an account, as far as workers need it: any account and zone id is
 * this one's (developers.cloudflare.com/api).
 */
export function createDoor({ cloudflare, token, onChange = () => {} }: Options): Hono {
  const door = new Hono().basePath('/client/v4')
  door.use(async ({ req }, next) => {
    const [, given] = /^Bearer (.+)$/.exec(req.header('authorization') ?? '') ?? []
    if (given === undefined) throw new Refusal(400, 9106, 'Missing Authorization header')
    if (!isSame(given, token)) throw new Refusal(403, 9109, 'Invalid access token')
    await next()
  })
  door.use(async ({ req, error, res }, next) => {
    await next()
    if (req.method !== 'GET' && !error && res.status < 400) onChange()
  })
  door.get('/user/tokens/verify', (c) => c.json(toEnvelope({ id: 'local', status: 'active' })))
  door.route('/accounts/:account', serveScripts(cloudflare))
  door.route('/accounts/:account', serveAccount(cloudflare))
  door.route('/zones/:zone', serveZone(cloudflare))
  door.notFound((c) => {
    return c.json(toErrorEnvelope({ code: 7003, message: `Could not route to ${c.req.path}` }), 404)
  })
  door.onError((error, c) => {
    if (!(error instanceof Refusal)) throw error
    return Response.json(toErrorEnvelope(error), { status: error.status, headers: c.res.headers })
  })
  return door
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
