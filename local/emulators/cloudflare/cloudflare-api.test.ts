import Client from 'cloudflare'
import { describe, expect, it, vi } from 'vitest'
import { createCloudflare } from './account.ts'
import { createCloudflareApi } from './cloudflare-api.ts'

const token = 'a-token-of-forty-characters-0123456789ab'
const of = { account_id: 'account' }
const zone = { zone_id: 'zone' }

/** A api, and Cloudflare's own client in front of it. */
function open(apiToken = token) {
  const onChange = vi.fn()
  const cloudflare = createCloudflare()
  const api = createCloudflareApi({ cloudflare, token, onChange })
  const client = new Client({
    apiToken,
    maxRetries: 0,
    baseURL: 'http://api/client/v4',
    fetch: async (input, init) => api.fetch(new Request(input, init)),
  })
  return { client, api, cloudflare, onChange }
}

type Api = Client
const text = (name: string, value: string) => ({ type: 'plain_text', name, text: value })
const secret = (name: string, value: string) => ({ type: 'secret_text', name, text: value })
const module = 'export default { fetch: () => new Response("ok") }'

function upload(client: Api, name: string, metadata: object = {}, content = module) {
  const whole = { main_module: 'index.js', compatibility_date: '2026-07-01', ...metadata }
  const form = {
    metadata: new File([JSON.stringify(whole)], 'metadata', { type: 'application/json' }),
    'index.js': new File([content], 'index.js', { type: 'application/javascript+module' }),
  }
  // The client's own types know the metadata as an object, which it would send field by field.
  const params = { ...of, ...form } as unknown as Parameters<Api['workers']['scripts']['update']>[1]
  return client.workers.scripts.update(name, params, { headers: { 'content-type': null } })
}

async function patchSettings(client: Api, name: string, settings: object) {
  const body = new FormData()
  body.set('settings', JSON.stringify(settings))
  await client.patch(`/accounts/account/workers/scripts/${name}/settings`, { body })
}

const settingsOf = (client: Api, name: string) =>
  client.workers.scripts.scriptAndVersionSettings.get(name, of)

describe('the API', () => {
  it('accepts requests with the token only', async () => {
    const { client, api } = open('another-token')
    await expect(client.workers.scripts.list(of)).rejects.toMatchObject({
      status: 403,
      errors: [{ code: 9109 }],
    })
    const bare = await api.request('/client/v4/accounts/a/workers/scripts')
    expect(bare.status).toBe(400)
    expect(await bare.json()).toMatchObject({ success: false, errors: [{ code: 9106 }] })
    expect(await open().client.user.tokens.verify()).toMatchObject({ status: 'active' })
  })

  it('calls onChange after changes only', async () => {
    const { client, onChange } = open()
    await client.workers.scripts.list(of)
    await client.workers.scripts.delete('none', of).catch(() => {})
    expect(onChange).not.toHaveBeenCalled()
    await client.kv.namespaces.create({ ...of, title: 'a' })
    expect(onChange).toHaveBeenCalledOnce()
  })

  it.each([
    ['nothing in it', 'GET', '/nothing', 404, 7003],
    ['no JSON', 'POST', '/zones/zone/workers/routes', 400, 9207],
  ])('answers a call with %s in the envelope', async (_, method, path, status, code) => {
    const headers = { authorization: `Bearer ${token}` }
    const init = method === 'POST' ? { method, headers, body: '{' } : { headers }
    const response = await open().api.request(`/client/v4${path}`, init)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ success: false, errors: [{ code }] })
  })
})

describe('a script', () => {
  it('is returned as uploaded, without its secrets', async () => {
    const { client } = open()
    const { id: namespace } = await client.kv.namespaces.create({ ...of, title: 'kv' })
    const limit = { limit: 20, period: 10 }
    const bindings = [
      secret('KEY', 'a planted secret'),
      { type: 'kv_namespace', name: 'KV', namespace_id: namespace },
      { type: 'ratelimit', name: 'LIMIT', namespace_id: '1001', simple: limit },
      { type: 'json', name: 'TTLS', json: { home: 60 } },
      text('A', 'a'),
    ]
    await upload(client, 'site', { bindings, observability: { enabled: true } })
    const settings = await settingsOf(client, 'site')
    expect(settings).toMatchObject({
      bindings: [
        { type: 'secret_text', name: 'KEY' },
        ...bindings.slice(1, 3),
        { type: 'json', name: 'TTLS', json: '{"home":60}' },
        bindings[4],
      ],
      compatibility_date: '2026-07-01',
      observability: { enabled: true },
    })
    const content = await client.workers.scripts.content.get('site', of)
    const [part] = [...(await content.formData()).values()]
    expect(part instanceof File && (await part.text())).toBe(module)
    const { result } = await client.workers.scripts.secrets.list('site', of)
    expect(result).toEqual([{ type: 'secret_text', name: 'KEY' }])
    const all = [settings, result, await client.workers.scripts.list(of)]
    expect(JSON.stringify(all)).not.toContain('a planted secret')
  })

  it('loses bindings that an upload omits, except those in keep_bindings', async () => {
    const { client } = open()
    const bindings = [secret('KEY', 'k'), text('A', 'a'), text('B', 'b')]
    await upload(client, 'site', { bindings, observability: { enabled: true } })
    await client.workers.scripts.subdomain.create('site', { ...of, enabled: true })
    await client.workers.scripts.schedules.update('site', { ...of, body: [{ cron: '* * * * *' }] })
    const inherited = [{ type: 'inherit', name: 'B' }]
    await upload(client, 'site', { bindings: inherited, keep_bindings: ['secret_text'] })
    const settings = await settingsOf(client, 'site')
    expect(settings.bindings?.map(({ name }) => name)).toEqual(['B', 'KEY'])
    expect(settings.observability).toBeUndefined()
    expect(await client.workers.scripts.subdomain.get('site', of)).toMatchObject({ enabled: true })
    const { schedules } = await client.workers.scripts.schedules.get('site', of)
    expect(schedules).toMatchObject([{ cron: '* * * * *' }])
  })

  it('accepts changes of settings and of secrets', async () => {
    const { client, cloudflare } = open()
    await upload(client, 'site', { bindings: [secret('KEY', 'k'), text('A', 'a')] })
    const kept = { type: 'inherit', name: 'KEY' }
    await patchSettings(client, 'site', { bindings: [kept, text('A', 'changed')] })
    const added = { name: 'MORE', text: 'm', type: 'secret_text' } as const
    await client.workers.scripts.secrets.update('site', { ...of, ...added })
    await client.workers.scripts.secrets.delete('KEY', { ...of, script_name: 'site' })
    expect(cloudflare.scripts.get('site')?.bindings).toEqual([text('A', 'changed'), added])
  })
})

describe('a resource with an id', () => {
  it('is created, listed, read, changed and deleted', async () => {
    const { client, cloudflare } = open()
    await upload(client, 'site')
    const kv = await client.kv.namespaces.create({ ...of, title: 'before' })
    await client.kv.namespaces.update(kv.id, { ...of, title: 'after' })
    expect(await client.kv.namespaces.get(kv.id, of)).toMatchObject({ title: 'after' })

    const pattern = 'a.example/*'
    const route = await client.workers.routes.create({ ...zone, pattern, script: 'site' })
    await client.workers.routes.update(route.id, { ...zone, pattern: 'b.example/*' })
    expect(await client.workers.routes.get(route.id, zone)).toMatchObject({
      pattern: 'b.example/*',
    })

    const hostname = 'c.example'
    const given = { ...of, ...zone, hostname, service: 'site', environment: 'production' }
    const domain = await client.workers.domains.update(given)
    expect((await client.workers.domains.update(given)).id).toBe(domain.id)
    expect((await client.workers.domains.list({ ...of, hostname: 'other' })).result).toEqual([])

    const record = { ...zone, name: 'd.example', type: 'AAAA', content: '100::', ttl: 1 } as const
    const { id } = await client.dns.records.create(record)
    expect(await client.dns.records.edit(id, { ...record, proxied: true })).toMatchObject({
      proxied: true,
    })

    await client.dns.records.delete(id, zone)
    await client.workers.domains.delete(domain.id ?? '', of)
    await client.workers.routes.delete(route.id, zone)
    await client.kv.namespaces.delete(kv.id, of)
    await client.workers.scripts.delete('site', of)
    expect(Object.values(cloudflare).map((entries) => entries.size)).toEqual(Array(8).fill(0))
  })

  it('has D1 databases, with ids of the API', async () => {
    const { client, cloudflare } = open()
    const given = { name: 'log', primary_location_hint: 'weur' } as const
    const { uuid: id = '' } = await client.d1.database.create({ ...of, ...given })
    expect(await client.d1.database.get(id, of)).toMatchObject({
      uuid: id,
      name: 'log',
      read_replication: { mode: 'auto' },
    })
    const read_replication = { mode: 'disabled' } as const
    await client.d1.database.update(id, { ...of, read_replication })
    expect((await client.d1.database.list({ ...of, name: 'log' })).result).toMatchObject([
      { uuid: id },
    ])
    expect((await client.d1.database.list({ ...of, name: 'other' })).result).toEqual([])
    await upload(client, 'site', { bindings: [{ type: 'd1', name: 'LOG', database_id: id }] })
    expect((await settingsOf(client, 'site')).bindings).toMatchObject([
      { type: 'd1', name: 'LOG', database_id: id },
    ])
    expect(cloudflare.databases.get(id)).toMatchObject({ name: 'log', readReplication: 'disabled' })
    await client.d1.database.delete(id, of)
    expect(cloudflare.databases.size).toBe(0)
  })

  it("is not another zone's", async () => {
    const { client } = open()
    const { id } = await client.workers.routes.create({ ...zone, pattern: 'a.example/*' })
    const other = { zone_id: 'other' }
    expect((await client.workers.routes.list(other)).result).toEqual([])
    await expect(client.workers.routes.get(id, other)).rejects.toMatchObject({ status: 404 })
  })
})

const domain = (hostname: string, service: string) => ({
  ...{ ...of, ...zone, hostname, service },
  environment: 'production',
})

describe('requests that Cloudflare rejects', () => {
  it.each<[string, number, number, (client: Api) => Promise<unknown>]>([
    [
      'a route twice',
      409,
      10020,
      (c) => c.workers.routes.create({ ...zone, pattern: 'a.example/*', script: 'other' }),
    ],
    [
      'a route to no script',
      404,
      10007,
      (c) => c.workers.routes.create({ ...zone, pattern: 'x.example/*', script: 'none' }),
    ],
    ['a title twice', 400, 10014, (c) => c.kv.namespaces.create({ ...of, title: 'kv' })],
    [
      "another's hostname",
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
    ['to delete a bound script', 400, 10142, (c) => c.workers.scripts.delete('site', of)],
    [
      'to delete a bound namespace',
      400,
      10052,
      async (c) => c.kv.namespaces.delete((await c.kv.namespaces.list(of)).result[0]?.id ?? '', of),
    ],
    [
      'a database twice',
      400,
      7502,
      async (c) => {
        for (const _ of [1, 2]) await c.d1.database.create({ ...of, name: 'log' })
      },
    ],
    [
      'a binding of no database',
      400,
      10181,
      (c) => upload(c, 'x', { bindings: [{ type: 'd1', name: 'LOG', database_id: 'none' }] }),
    ],
    ['a database that is gone', 404, 7404, (c) => c.d1.database.get('none', of)],
    ['a binding of no namespace', 400, 10041, (c) => upload(c, 'x', { bindings: [noNamespace] })],
    [
      'a binding twice',
      400,
      10021,
      (c) => upload(c, 'x', { bindings: [text('A', ''), text('A', '')] }),
    ],
    [
      'an unknown binding',
      400,
      10021,
      (c) => upload(c, 'x', { bindings: [{ type: 'ai', name: 'A' }] }),
    ],
    [
      'to inherit nothing',
      400,
      10057,
      (c) => upload(c, 'x', { bindings: [{ type: 'inherit', name: 'A' }] }),
    ],
    ['an upload without its module', 400, 10021, (c) => upload(c, 'x', { main_module: 'no.js' })],
    ['a script that is gone', 404, 10007, (c) => settingsOf(c, 'none')],
    ['a namespace that is gone', 404, 10013, (c) => c.kv.namespaces.get('none', of)],
    ['a route that is gone', 404, 10008, (c) => c.workers.routes.delete('none', zone)],
    ['a domain that is gone', 404, 100114, (c) => c.workers.domains.get('none', of)],
    ['a record that is gone', 404, 81044, (c) => c.dns.records.get('none', zone)],
  ])('%s', async (_, status, code, act) => {
    const { client } = open()
    const { id } = await client.kv.namespaces.create({ ...of, title: 'kv' })
    await upload(client, 'site')
    const calls = { type: 'service', name: 'SITE', service: 'site' }
    const holds = { type: 'kv_namespace', name: 'KV', namespace_id: id }
    await upload(client, 'other', { bindings: [calls, holds] })
    await client.workers.routes.create({ ...zone, pattern: 'a.example/*', script: 'site' })
    await client.workers.domains.update(domain('b.example', 'site'))
    const record = { name: 'd.example', type: 'AAAA', content: '100::', ttl: 1 } as const
    await client.dns.records.create({ ...zone, ...record })
    await expect(act(client)).rejects.toMatchObject({ status, errors: [{ code }] })
  })
})

const noNamespace = { type: 'kv_namespace', name: 'KV', namespace_id: 'none' }
