import type Client from 'cloudflare'
import { describe, expect, it } from 'vitest'
import {
  inAccount,
  inZone,
  openTestApi,
  readSettings,
  textBinding,
  upload,
} from '../../testing/cloudflare-client.ts'

const domain = (hostname: string, service: string) => ({
  ...inAccount,
  ...inZone,
  hostname,
  service,
  environment: 'production',
})

const missingNamespace = { type: 'kv_namespace', name: 'KV', namespace_id: 'none' }

describe('requests that Cloudflare rejects', () => {
  it.each<[string, number, number, (client: Client) => Promise<unknown>]>([
    [
      'a duplicate route',
      409,
      10020,
      (c) => c.workers.routes.create({ ...inZone, pattern: 'a.example/*', script: 'other' }),
    ],
    [
      'a route to a missing script',
      404,
      10007,
      (c) => c.workers.routes.create({ ...inZone, pattern: 'x.example/*', script: 'none' }),
    ],
    ['a duplicate title', 400, 10014, (c) => c.kv.namespaces.create({ ...inAccount, title: 'kv' })],
    [
      'a custom domain of another script',
      409,
      100116,
      (c) => c.workers.domains.update(domain('b.example', 'other')),
    ],
    [
      'a hostname with a record',
      409,
      100117,
      (c) => c.workers.domains.update(domain('d.example', 'site')),
    ],
    ['deleting a bound script', 400, 10142, (c) => c.workers.scripts.delete('site', inAccount)],
    [
      'deleting a bound namespace',
      400,
      10052,
      async (c) =>
        c.kv.namespaces.delete(
          (await c.kv.namespaces.list(inAccount)).result[0]?.id ?? '',
          inAccount,
        ),
    ],
    [
      'a duplicate database',
      400,
      7502,
      async (c) => {
        for (const _ of [1, 2]) await c.d1.database.create({ ...inAccount, name: 'log' })
      },
    ],
    [
      'a binding to a missing database',
      400,
      10181,
      (c) => upload(c, 'x', { bindings: [{ type: 'd1', name: 'LOG', database_id: 'none' }] }),
    ],
    ['a missing database', 404, 7404, (c) => c.d1.database.get('none', inAccount)],
    [
      'a binding to a missing namespace',
      400,
      10041,
      (c) => upload(c, 'x', { bindings: [missingNamespace] }),
    ],
    [
      'a duplicate binding',
      400,
      10021,
      (c) => upload(c, 'x', { bindings: [textBinding('A', ''), textBinding('A', '')] }),
    ],
    [
      'an unknown binding',
      400,
      10021,
      (c) => upload(c, 'x', { bindings: [{ type: 'ai', name: 'A' }] }),
    ],
    [
      'inheriting a missing binding',
      400,
      10057,
      (c) => upload(c, 'x', { bindings: [{ type: 'inherit', name: 'A' }] }),
    ],
    ['an upload without its module', 400, 10021, (c) => upload(c, 'x', { main_module: 'no.js' })],
    ['a missing script', 404, 10007, (c) => readSettings(c, 'none')],
    ['a missing namespace', 404, 10013, (c) => c.kv.namespaces.get('none', inAccount)],
    ['a missing route', 404, 10008, (c) => c.workers.routes.delete('none', inZone)],
    ['a missing domain', 404, 100114, (c) => c.workers.domains.get('none', inAccount)],
    ['a missing record', 404, 81044, (c) => c.dns.records.get('none', inZone)],
  ])('%s', async (_, status, code, act) => {
    const { client } = openTestApi()
    const { id } = await client.kv.namespaces.create({ ...inAccount, title: 'kv' })
    await upload(client, 'site')
    const service = { type: 'service', name: 'SITE', service: 'site' }
    const namespace = { type: 'kv_namespace', name: 'KV', namespace_id: id }
    await upload(client, 'other', { bindings: [service, namespace] })
    await client.workers.routes.create({ ...inZone, pattern: 'a.example/*', script: 'site' })
    await client.workers.domains.update(domain('b.example', 'site'))
    const record = { name: 'd.example', type: 'AAAA', content: '100::', ttl: 1 } as const
    await client.dns.records.create({ ...inZone, ...record })
    await expect(act(client)).rejects.toMatchObject({ status, errors: [{ code }] })
  })
})
