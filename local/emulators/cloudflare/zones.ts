import type { Hono } from 'hono'
import * as z from 'zod/mini'
import { CloudflareError } from './account.ts'
import { parseBody, toEnvelope } from './wire-format.ts'

/** The properties of a zone that deployments depend on. */
export interface Zone {
  name: string
  accountId: string
  status: 'active' | 'pending'
  alwaysUseHttps: boolean
}

const SETTING = '/zones/:zone/settings/always_use_https'
const Switch = z.object({ value: z.enum(['on', 'off']) })

/** Serves zones, and their setting «Always Use HTTPS» (developers.cloudflare.com/api/resources/zones). */
export function serveZones(api: Hono, zones: ReadonlyMap<string, Zone>): void {
  const find = (id: string): Zone => {
    const zone = zones.get(id)
    // Cloudflare does not reveal whether a zone of another account exists.
    if (!zone) throw new CloudflareError(403, 9109, 'Unauthorized to access requested resource')
    return zone
  }
  const showSetting = (id: string) =>
    toEnvelope({
      id: 'always_use_https',
      value: find(id).alwaysUseHttps ? 'on' : 'off',
      editable: true,
    })
  api.get('/zones/:zone', ({ req, json }) => {
    const id = req.param('zone')
    const { name, status, accountId } = find(id)
    return json(toEnvelope({ id, name, status, account: { id: accountId } }))
  })
  api.get(SETTING, ({ req, json }) => json(showSetting(req.param('zone'))))
  api.patch(SETTING, async ({ req, json }) => {
    const id = req.param('zone')
    find(id).alwaysUseHttps = parseBody(Switch, await req.json()).value === 'on'
    return json(showSetting(id))
  })
}
