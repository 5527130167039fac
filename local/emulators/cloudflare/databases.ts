import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import * as z from 'zod/mini'
import { type CloudflareAccount, CloudflareError, type D1Database, putDatabase } from './account.ts'
import { parseBody, toEnvelope, toListEnvelope } from './wire-format.ts'

const DATABASES = '/accounts/:account/d1/database'
const ReadReplication = z.object({ mode: z.enum(['auto', 'disabled']) })
const Creation = z.object({
  name: z.string().check(z.minLength(1)),
  primary_location_hint: z.optional(z.enum(['wnam', 'enam', 'weur', 'eeur', 'apac', 'oc'])),
  read_replication: z._default(ReadReplication, { mode: 'auto' }),
})
const Change = z.object({ read_replication: z.optional(ReadReplication) })

/**
 * Serves the D1 databases of an account (developers.cloudflare.com/api/resources/d1/subresources/database),
 * without queries: scripts query the databases in workerd.
 */
export function serveDatabases(api: Hono, cloudflare: CloudflareAccount): void {
  const { databases } = cloudflare
  const find = (id: string): D1Database => {
    const database = databases.get(id)
    if (database) return database
    throw new CloudflareError(404, 7404, `The database ${id} could not be found`)
  }
  const show = (id: string) => ({ uuid: id, ...toWire(find(id)) })

  api.get(DATABASES, ({ req, json }) => {
    const name = req.query('name')
    const ids = [...databases.keys()].filter((id) => name === undefined || find(id).name === name)
    return json(toListEnvelope(ids.map(show)))
  })
  api.post(DATABASES, async ({ req, json }) => {
    const { name, read_replication } = parseBody(Creation, await req.json())
    const id = randomUUID()
    const readReplication = read_replication.mode
    putDatabase(cloudflare, id, { name, readReplication, createdAt: new Date().toISOString() })
    return json(toEnvelope(show(id)))
  })
  api.get(`${DATABASES}/:id`, ({ req, json }) => json(toEnvelope(show(req.param('id')))))
  api.on(['PUT', 'PATCH'], `${DATABASES}/:id`, async ({ req, json }) => {
    const id = req.param('id')
    const old = find(id)
    const { read_replication } = parseBody(Change, await req.json())
    const readReplication = read_replication?.mode ?? old.readReplication
    putDatabase(cloudflare, id, { ...old, readReplication })
    return json(toEnvelope(show(id)))
  })
  // Cloudflare also deletes a database that is bound to a script; the script's queries then fail.
  api.delete(`${DATABASES}/:id`, ({ req, json }) => {
    find(req.param('id'))
    databases.delete(req.param('id'))
    return json(toEnvelope(null))
  })
}

function toWire({ name, readReplication, createdAt }: D1Database) {
  return {
    name,
    version: 'production',
    created_at: createdAt,
    file_size: 0,
    num_tables: 0,
    read_replication: { mode: readReplication },
  }
}
