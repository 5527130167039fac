import { Hono } from 'hono'
import * as z from 'zod/mini'
import { type Cloudflare, putRecord, putRoute } from '../cloudflare.ts'
import { createId, require } from './account.ts'
import { parseBody, toEnvelope, toListEnvelope } from './wire.ts'

const Route = z.object({ pattern: z.string(), script: z.optional(z.string()) })
const DnsRecord = z.object({
  name: z.string(),
  type: z.string(),
  content: z._default(z.string(), ''),
  proxied: z._default(z.boolean(), false),
  ttl: z._default(z.number(), 1),
})

/** A zone: its routes to scripts and its DNS records. */
export function serveZone(cloudflare: Cloudflare): Hono<{ Variables: object }, object, '/'> {
  const app = new Hono<{ Variables: object }>()
  return app
}
