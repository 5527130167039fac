import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import {
  type Cloudflare,
  putDomain,
  putNamespace,
  Refusal,
  removeNamespace,
} from '../cloudflare.ts'
import { parseBody, toEnvelope, toListEnvelope } from './wire.ts'

const Namespace = z.object({ title: z.string() })
const Domain = z.object({
  hostname: z.string(),
  service: z.string(),
  zone_id: z._default(z.string(), ''),
})

/** What an account holds besides scripts: KV namespaces and custom domains. */
export function serveAccount(cloudflare: Cloudflare): Hono {
  const app = new Hono()
  const { namespaces, domains } = cloudflare

  const toNamespace = (id: string) => {
    const { title } = require(namespaces, id, 10013)
    return { id, title, supports_url_encoding: true }
  }
  app.get('/storage/kv/namespaces', (c) =>
    c.json(toListEnvelope([...namespaces.keys()].map(toNamespace))),
  )
  app.post('/storage/kv/namespaces', async (c) => {
    const id = createId()
    putNamespace(cloudflare, id, parseBody(Namespace, await c.req.json()).title)
    return c.json(toEnvelope(toNamespace(id)))
  })
  app.get('/storage/kv/namespaces/:id', (c) => c.json(toEnvelope(toNamespace(c.req.param('id')))))
  app.put('/storage/kv/namespaces/:id', async (c) => {
    const { id } = toNamespace(c.req.param('id'))
    putNamespace(cloudflare, id, parseBody(Namespace, await c.req.json()).title)
    return c.json(toEnvelope(toNamespace(id)))
  })
  app.delete('/storage/kv/namespaces/:id', (c) => {
    removeNamespace(cloudflare, toNamespace(c.req.param('id')).id)
    return c.json(toEnvelope({}))
  })

  const toDomain = (id: string) => {
    const { zoneId, hostname, service } = require(domains, id, 100114)
    const zone_name = hostname.split('.').slice(1).join('.')
    return { id, hostname, service, environment: 'production', zone_id: zoneId, zone_name }
  }
  app.get('/workers/domains', (c) => {
    const asked = Object.entries(c.req.query())
    const listed = [...domains.keys()]
      .map(toDomain)
      .filter((domain) =>
        asked.every(([key, value]) => !(key in domain) || value === domain[key as 'id']),
      )
    return c.json(toListEnvelope(listed))
  })
  app.put('/workers/domains', async (c) => {
    const { hostname, service, zone_id } = parseBody(Domain, await c.req.json())
    const [same] = [...domains].find(
      ([, domain]) => domain.hostname === hostname && domain.service === service,
    ) ?? [createId()]
    putDomain(cloudflare, same, { hostname, service, zoneId: zone_id })
    return c.json(toEnvelope(toDomain(same)))
  })
  app.get('/workers/domains/:id', (c) => c.json(toEnvelope(toDomain(c.req.param('id')))))
  app.delete('/workers/domains/:id', (c) => {
    domains.delete(toDomain(c.req.param('id')).id)
    return c.json(toEnvelope(null))
  })
  return app
}

export function createId(): string {
  return randomBytes(16).toString('hex')
}

/** The entry with an id; Cloudflare's 404 where there is none. */
export function require<T>(entries: ReadonlyMap<string, T>, id: string, code: number): T {
  const entry = entries.get(id)
  if (entry === undefined) throw new Refusal(404, code, `there is nothing with the id ${id}`)
  return entry
}
