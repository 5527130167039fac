import { randomBytes } from 'node:crypto'
import type { Hono } from 'hono'
import * as z from 'zod/mini'
import type { CloudflareAccount } from './account.ts'
import * as account from './account.ts'
import { parseBody, toEnvelope, toListEnvelope } from './wire-format.ts'

interface Collection<Entry, Body extends object> {
  path: string
  entries: Map<string, Entry>
  body: z.ZodMiniType<Body>
  put(id: string, body: Body, zoneId: string): void
  remove?(id: string): void
  /** Returns whether a POST or PUT without an id updates this entry; absent: it always creates an entry. */
  isSame?(entry: Entry, body: Body): boolean
  toWire(entry: Entry): object
  /** Error code of the 404 response. */
  notFoundCode: number
}

/** Serves KV namespaces, custom domains, routes and DNS records. */
export function serveCollections(api: Hono, cloudflare: CloudflareAccount): void {
  serveCollection(api, {
    path: '/accounts/:account/storage/kv/namespaces',
    entries: cloudflare.namespaces,
    body: z.object({ title: z.string() }),
    put: (id, { title }) => account.putNamespace(cloudflare, id, title),
    remove: (id) => account.removeNamespace(cloudflare, id),
    toWire: ({ title }) => ({ title, supports_url_encoding: true }),
    notFoundCode: 10013,
  })
  serveCollection(api, {
    path: '/accounts/:account/workers/domains',
    entries: cloudflare.domains,
    body: z.object({ hostname: z.string(), service: z.string(), zone_id: z.string() }),
    put: (id, { zone_id: zoneId, hostname, service }) =>
      account.putDomain(cloudflare, id, { zoneId, hostname, service }),
    isSame: (domain, { hostname, service }) =>
      domain.hostname === hostname && domain.service === service,
    toWire: ({ zoneId, hostname, service }) => ({
      hostname,
      service,
      environment: 'production',
      zone_id: zoneId,
      zone_name: hostname.split('.').slice(1).join('.'),
    }),
    notFoundCode: 100114,
  })
  serveCollection(api, {
    path: '/zones/:zone/workers/routes',
    entries: cloudflare.routes,
    body: z.object({ pattern: z.string(), script: z.optional(z.nullable(z.string())) }),
    put: (id, { pattern, script }, zoneId) =>
      account.putRoute(cloudflare, id, { zoneId, pattern, script: script || undefined }),
    toWire: ({ pattern, script }) => ({ pattern, script }),
    notFoundCode: 10008,
  })
  serveCollection(api, {
    path: '/zones/:zone/dns_records',
    entries: cloudflare.records,
    body: z.object({
      name: z.string(),
      type: z.string(),
      content: z._default(z.string(), ''),
      proxied: z._default(z.boolean(), false),
      ttl: z._default(z.number(), 1),
    }),
    put: (id, record, zoneId) => account.putRecord(cloudflare, id, { ...record, zoneId }),
    toWire: ({ zoneId: _, ...record }) => ({ ...record, proxiable: true, settings: {}, tags: [] }),
    notFoundCode: 81044,
  })
}

function serveCollection<Entry extends object, Body extends object>(
  api: Hono,
  collection: Collection<Entry, Body>,
): void {
  const { path, entries, put, toWire } = collection
  const find = (id: string, zoneId?: string): Entry => {
    const entry = entries.get(id)
    if (entry && isInZone(entry, zoneId)) return entry
    throw new account.CloudflareError(
      404,
      collection.notFoundCode,
      `there is no entry with the id ${id}`,
    )
  }
  const show = (id: string) => toEnvelope({ id, ...toWire(find(id)) })
  const remove = collection.remove ?? ((id) => entries.delete(id))

  api.get(path, ({ req, json }) => {
    const filters = Object.entries(req.query())
    const listed = [...entries]
      .filter(([, entry]) => isInZone(entry, req.param('zone')))
      .map(([id, entry]) => ({ id, ...toWire(entry) }))
      .filter((item) => filters.every(([key, value]) => matchesFilter(item, key, value)))
    return json(toListEnvelope(listed))
  })
  api.on(['POST', 'PUT'], path, async ({ req, json }) => {
    const body = parseBody(collection.body, await req.json())
    const existing = [...entries].find(([, entry]) => collection.isSame?.(entry, body))
    const id = existing?.[0] ?? randomBytes(16).toString('hex')
    put(id, body, req.param('zone') ?? '')
    return json(show(id))
  })
  api.get(`${path}/:id`, ({ req, json }) => {
    find(req.param('id'), req.param('zone'))
    return json(show(req.param('id')))
  })
  api.on(['PUT', 'PATCH'], `${path}/:id`, async ({ req, json }) => {
    const id = req.param('id')
    const old = find(id, req.param('zone'))
    const changes = await req.json()
    const whole = req.method === 'PATCH' ? { ...old, ...changes } : changes
    const body = parseBody(collection.body, whole)
    put(id, body, req.param('zone') ?? '')
    return json(show(id))
  })
  api.delete(`${path}/:id`, ({ req, json }) => {
    find(req.param('id'), req.param('zone'))
    remove(req.param('id'))
    return json(toEnvelope({ id: req.param('id') }))
  })
}

function isInZone(entry: object, zoneId: string | undefined): boolean {
  return zoneId === undefined || matchesFilter(entry, 'zoneId', zoneId)
}

/** Returns whether the property `key` of an item has this value; an item without the property matches too. */
function matchesFilter(item: object, key: string, value: string): boolean {
  const found = Object.entries(item).find(([name]) => name === key)
  return found === undefined || found[1] === value
}
