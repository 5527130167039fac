import { describe, expect, it } from 'vitest'
import {
  inAccount,
  inZone,
  MODULE,
  openTestApi,
  patchSettings,
  readSettings,
  secretBinding,
  TOKEN,
  textBinding,
  upload,
} from '../../testing/cloudflare-client.ts'

describe('the API', () => {
  it('accepts only requests with the token', async () => {
    const { client, api } = openTestApi('another-token')
    await expect(client.workers.scripts.list(inAccount)).rejects.toMatchObject({
      status: 403,
      errors: [{ code: 9109 }],
    })
    const bare = await api.request('/client/v4/accounts/a/workers/scripts')
    expect(bare.status).toBe(400)
    expect(await bare.json()).toMatchObject({ success: false, errors: [{ code: 9106 }] })
    expect(await openTestApi().client.user.tokens.verify()).toMatchObject({ status: 'active' })
  })

  it('calls onChange only after changes', async () => {
    const { client, onChange } = openTestApi()
    await client.workers.scripts.list(inAccount)
    await client.workers.scripts.delete('none', inAccount).catch(() => {})
    expect(onChange).not.toHaveBeenCalled()
    await client.kv.namespaces.create({ ...inAccount, title: 'a' })
    expect(onChange).toHaveBeenCalledOnce()
  })

  it.each([
    ['an unknown path', 'GET', '/nothing', 404, 7003],
    ['malformed JSON', 'POST', '/zones/zone/workers/routes', 400, 9207],
  ])('responds to %s with an error in the envelope', async (_, method, path, status, code) => {
    const headers = { authorization: `Bearer ${TOKEN}` }
    const init = method === 'POST' ? { method, headers, body: '{' } : { headers }
    const response = await openTestApi().api.request(`/client/v4${path}`, init)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ success: false, errors: [{ code }] })
  })
})

describe('a script', () => {
  it('is returned as uploaded, without its secrets', async () => {
    const { client } = openTestApi()
    const { id: namespace } = await client.kv.namespaces.create({ ...inAccount, title: 'kv' })
    const limit = { limit: 20, period: 10 }
    const bindings = [
      secretBinding('KEY', 'the secret text'),
      { type: 'kv_namespace', name: 'KV', namespace_id: namespace },
      { type: 'ratelimit', name: 'LIMIT', namespace_id: '1001', simple: limit },
      { type: 'json', name: 'TTLS', json: { home: 60 } },
      textBinding('A', 'a'),
    ]
    await upload(client, 'site', { bindings, observability: { enabled: true } })
    const settings = await readSettings(client, 'site')
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
    const content = await client.workers.scripts.content.get('site', inAccount)
    const [part] = [...(await content.formData()).values()]
    expect(part instanceof File && (await part.text())).toBe(MODULE)
    const { result } = await client.workers.scripts.secrets.list('site', inAccount)
    expect(result).toEqual([{ type: 'secret_text', name: 'KEY' }])
    const all = [settings, result, await client.workers.scripts.list(inAccount)]
    expect(JSON.stringify(all)).not.toContain('the secret text')
  })

  it('loses bindings and settings that an upload omits, except bindings of a type in keep_bindings', async () => {
    const { client } = openTestApi()
    const bindings = [secretBinding('KEY', 'k'), textBinding('A', 'a'), textBinding('B', 'b')]
    await upload(client, 'site', { bindings, observability: { enabled: true } })
    await client.workers.scripts.subdomain.create('site', { ...inAccount, enabled: true })
    await client.workers.scripts.schedules.update('site', {
      ...inAccount,
      body: [{ cron: '* * * * *' }],
    })
    const inherited = [{ type: 'inherit', name: 'B' }]
    await upload(client, 'site', { bindings: inherited, keep_bindings: ['secret_text'] })
    const settings = await readSettings(client, 'site')
    expect(settings.bindings?.map(({ name }) => name)).toEqual(['B', 'KEY'])
    expect(settings.observability).toBeUndefined()
    expect(await client.workers.scripts.subdomain.get('site', inAccount)).toMatchObject({
      enabled: true,
    })
    const { schedules } = await client.workers.scripts.schedules.get('site', inAccount)
    expect(schedules).toMatchObject([{ cron: '* * * * *' }])
  })

  it('accepts changes of settings and of secrets', async () => {
    const { client, cloudflare } = openTestApi()
    await upload(client, 'site', { bindings: [secretBinding('KEY', 'k'), textBinding('A', 'a')] })
    const kept = { type: 'inherit', name: 'KEY' }
    await patchSettings(client, 'site', { bindings: [kept, textBinding('A', 'changed')] })
    const added = { name: 'MORE', text: 'm', type: 'secret_text' } as const
    await client.workers.scripts.secrets.update('site', { ...inAccount, ...added })
    await client.workers.scripts.secrets.delete('KEY', { ...inAccount, script_name: 'site' })
    expect(cloudflare.scripts.get('site')?.bindings).toEqual([textBinding('A', 'changed'), added])
  })
})

describe('a resource with an id', () => {
  it('is created, listed, read, changed and deleted', async () => {
    const { client, cloudflare } = openTestApi()
    await upload(client, 'site')
    const kv = await client.kv.namespaces.create({ ...inAccount, title: 'before' })
    await client.kv.namespaces.update(kv.id, { ...inAccount, title: 'after' })
    expect(await client.kv.namespaces.get(kv.id, inAccount)).toMatchObject({ title: 'after' })

    const pattern = 'a.example/*'
    const route = await client.workers.routes.create({ ...inZone, pattern, script: 'site' })
    await client.workers.routes.update(route.id, { ...inZone, pattern: 'b.example/*' })
    expect(await client.workers.routes.get(route.id, inZone)).toMatchObject({
      pattern: 'b.example/*',
    })

    const hostname = 'c.example'
    const given = { ...inAccount, ...inZone, hostname, service: 'site', environment: 'production' }
    const domain = await client.workers.domains.update(given)
    expect((await client.workers.domains.update(given)).id).toBe(domain.id)
    expect((await client.workers.domains.list({ ...inAccount, hostname: 'other' })).result).toEqual(
      [],
    )

    const record = { ...inZone, name: 'd.example', type: 'AAAA', content: '100::', ttl: 1 } as const
    const { id } = await client.dns.records.create(record)
    expect(await client.dns.records.edit(id, { ...record, proxied: true })).toMatchObject({
      proxied: true,
    })

    await client.dns.records.delete(id, inZone)
    await client.workers.domains.delete(domain.id ?? '', inAccount)
    await client.workers.routes.delete(route.id, inZone)
    await client.kv.namespaces.delete(kv.id, inAccount)
    await client.workers.scripts.delete('site', inAccount)
    expect(Object.values(cloudflare).map((entries) => entries.size)).toEqual(Array(8).fill(0))
  })

  it('can be a D1 database, whose id the API chooses', async () => {
    const { client, cloudflare } = openTestApi()
    const given = { name: 'log', primary_location_hint: 'weur' } as const
    const { uuid: id = '' } = await client.d1.database.create({ ...inAccount, ...given })
    expect(await client.d1.database.get(id, inAccount)).toMatchObject({
      uuid: id,
      name: 'log',
      read_replication: { mode: 'auto' },
    })
    const read_replication = { mode: 'disabled' } as const
    await client.d1.database.update(id, { ...inAccount, read_replication })
    expect((await client.d1.database.list({ ...inAccount, name: 'log' })).result).toMatchObject([
      { uuid: id },
    ])
    expect((await client.d1.database.list({ ...inAccount, name: 'other' })).result).toEqual([])
    await upload(client, 'site', { bindings: [{ type: 'd1', name: 'LOG', database_id: id }] })
    expect((await readSettings(client, 'site')).bindings).toMatchObject([
      { type: 'd1', name: 'LOG', database_id: id },
    ])
    expect(cloudflare.databases.get(id)).toMatchObject({ name: 'log', readReplication: 'disabled' })
    await client.d1.database.delete(id, inAccount)
    expect(cloudflare.databases.size).toBe(0)
  })

  it('is not found in another zone', async () => {
    const { client } = openTestApi()
    const { id } = await client.workers.routes.create({ ...inZone, pattern: 'a.example/*' })
    const other = { zone_id: 'other' }
    expect((await client.workers.routes.list(other)).result).toEqual([])
    await expect(client.workers.routes.get(id, other)).rejects.toMatchObject({ status: 404 })
  })
})
