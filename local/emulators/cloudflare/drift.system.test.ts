import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { serve } from '@hono/node-server'
import Client from 'cloudflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { putDeclared } from '../../deploy/cloudflare-resources.ts'
import { overrideForLocal } from '../../deploy/stack-overrides.ts'
import { root } from '../../lib/paths.ts'
import { captureStack } from '../pulumi/capture.ts'
import type { CapturedStack } from '../pulumi/captured-stack.ts'
import { createCloudflare } from './account.ts'
import { createCloudflareApi } from './cloudflare-api.ts'

const stacks = ['site-stage', 'site-stage-mk2', 'media-stage']
const token = 'a-token-of-forty-characters-0123456789ab'
const captures = new Map<string, CapturedStack>()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-edge-drift-'))
  const apiUrls = { 'site-stage': 'http://127.0.0.1:9/' }
  const world = { folder: root, seed: 'drift', storeUrl: 'http://127.0.0.1:9', apiUrls }
  const outputsOf = (stack: string) => captures.get(stack)?.outputs ?? { values: {}, secrets: [] }
  for (const stack of stacks) {
    const laid = await overrideForLocal(stack, world)
    const captured = await captureStack({ ...laid, stack, references: outputsOf })
    captures.set(stack, captured)
    await writeFile(join(folder, `${stack}.json`), JSON.stringify(captured.outputs.values))
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** An account that holds what the stacks declare, its HTTP API, and Cloudflare's own client for it. */
async function openAccount({ withNewFields = false } = {}) {
  const cloudflare = createCloudflare()
  await putDeclared(cloudflare, [...captures.values()], join(root, 'infra'))
  const api = createCloudflareApi({ cloudflare, token })
  const fetch = async (request: Request) => {
    const response = await api.fetch(request)
    const isJson = response.headers.get('content-type')?.includes('json')
    if (!withNewFields || !isJson) return response
    return Response.json(addFields(await response.json()), response)
  }
  const server = serve({ fetch, port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const baseURL = `http://127.0.0.1:${port}/client/v4`
  const client = new Client({ apiToken: token, baseURL, maxRetries: 0 })
  return { cloudflare, client, baseURL, close: () => server.close() }
}

/** Every object of an answer with a field that nobody declared. */
function addFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addFields)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [key, addFields(item)])
  return { ...Object.fromEntries(entries), new_field: 1 }
}

async function runDrift(stack: string, baseURL: string, apiToken = token) {
  const args = ['ops/drift.ts', stack, '--json', '--outputs', join(folder, `${stack}.json`)]
  const env = {
    PATH: process.env.PATH,
    CLOUDFLARE_BASE_URL: baseURL,
    CLOUDFLARE_API_TOKEN: apiToken,
  }
  const child = spawn(process.execPath, args, { cwd: root, env })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { code, output, report: JSON.parse(output) }
}

const of = { account_id: 'account' }
const SITE = 'cms-edge-worker-stage'
const CANARY = 'cms-edge-worker-stage-mk2'

const zoneOf = () => ({ zone_id: String(captures.get('site-stage')?.outputs.values.zoneId) })

const databaseOf = (stack: string) =>
  String(captures.get(stack)?.outputs.values.invalidationsDatabaseId)

async function editBindings(client: Client, script: string, edit: (bindings: Wire[]) => Wire[]) {
  const { bindings = [] } = await client.workers.scripts.scriptAndVersionSettings.get(script, of)
  const kept = bindings.map((binding) =>
    binding.type === 'secret_text' ? { type: 'inherit', name: binding.name } : binding,
  )
  const body = new FormData()
  body.set('settings', JSON.stringify({ bindings: edit(kept as Wire[]) }))
  await client.patch(`/accounts/account/workers/scripts/${script}/settings`, { body })
}

async function patchSettings(client: Client, script: string, settings: object) {
  const body = new FormData()
  body.set('settings', JSON.stringify(settings))
  await client.patch(`/accounts/account/workers/scripts/${script}/settings`, { body })
}
interface Wire {
  type: string
  name: string
  text?: string
  database_id?: string | undefined
}

async function upload(client: Client, name: string, content = 'export default {}', metadata = {}) {
  const body = new FormData()
  const whole = { main_module: 'index.js', compatibility_date: '2026-07-01', ...metadata }
  body.set('metadata', JSON.stringify(whole))
  body.set('index.js', new File([content], 'index.js'))
  await client.put(`/accounts/account/workers/scripts/${name}`, { body })
}

async function addRoute(client: Client, pattern: string, script = 'intruder') {
  if (script === 'intruder') await upload(client, script)
  await client.workers.routes.create({ ...zoneOf(), pattern, script })
}

async function findRoute(client: Client, pattern: string): Promise<string> {
  const { result } = await client.workers.routes.list(zoneOf())
  return result.find((route) => route.pattern === pattern)?.id ?? 'none'
}

const rows: [string, string, string[], (client: Client) => Promise<unknown>][] = [
  [
    'a changed variable',
    'site-stage',
    ['binding CMS_SITE_ID'],
    (client) =>
      editBindings(client, SITE, (bindings) =>
        bindings.map((each) => (each.name === 'CMS_SITE_ID' ? { ...each, text: 'other' } : each)),
      ),
  ],
  [
    'a removed KV binding',
    'site-stage',
    ['binding KV'],
    (client) => editBindings(client, SITE, (all) => all.filter(({ name }) => name !== 'KV')),
  ],
  [
    'an added binding',
    'site-stage',
    ['binding EXTRA'],
    (client) =>
      editBindings(client, SITE, (all) => [
        ...all,
        { type: 'plain_text', name: 'EXTRA', text: '' },
      ]),
  ],
  [
    'an added secret',
    'site-stage',
    ['binding SPARE'],
    (client) =>
      client.workers.scripts.secrets.update(SITE, {
        ...of,
        ...{ name: 'SPARE', text: 'planted', type: 'secret_text' },
      }),
  ],
  [
    'a removed secret',
    'site-stage',
    ['binding CMS_API_KEY'],
    (client) => client.workers.scripts.secrets.delete('CMS_API_KEY', { ...of, script_name: SITE }),
  ],
  [
    'a route to another script',
    'site-stage',
    ['route stage.localhost/*'],
    async (client) => {
      const id = await findRoute(client, 'stage.localhost/*')
      const pattern = 'stage.localhost/*'
      await client.workers.routes.update(id, { ...zoneOf(), pattern, script: CANARY })
    },
  ],
  [
    'a route with another pattern',
    'media-stage',
    ['route stage.localhost/cmp-media/*', 'route stage.localhost/media/*'],
    async (client) => {
      const id = await findRoute(client, 'stage.localhost/cmp-media/*')
      const script = 'cms-edge-media-stage'
      const pattern = 'stage.localhost/media/*'
      await client.workers.routes.update(id, { ...zoneOf(), pattern, script })
    },
  ],
  [
    "someone else's route before a route",
    'site-stage',
    ['route stage.localhost/*'],
    (client) => addRoute(client, 'stage.localhost/news/*'),
  ],
  [
    "someone else's route before the media route",
    'media-stage',
    ['route stage2.localhost/cmp-media/*'],
    (client) => addRoute(client, 'stage2.localhost/cmp-media/css/*'),
  ],
  [
    "someone else's route before a custom domain",
    'site-stage-mk2',
    ['route stage2.localhost/*'],
    (client) => addRoute(client, '*.localhost/*'),
  ],
  [
    'changed content',
    'media-stage',
    ['script content'],
    async (client) => {
      const name = 'cms-edge-media-stage'
      const settings = await client.workers.scripts.scriptAndVersionSettings.get(name, of)
      const bindings = settings.bindings?.map((each) => ({ type: 'inherit', name: each.name }))
      const { limits, observability } = settings
      await upload(client, name, 'export default {}', { bindings, limits, observability })
    },
  ],
  [
    'another compatibility date',
    'site-stage-mk2',
    ['script compatibility date'],
    (client) => patchSettings(client, CANARY, { compatibility_date: '2026-01-01' }),
  ],
  [
    'an added compatibility flag',
    'site-stage',
    ['script compatibility flags'],
    (client) => patchSettings(client, SITE, { compatibility_flags: ['nodejs_compat'] }),
  ],
  [
    'a removed CPU limit',
    'media-stage',
    ['script limits.cpuMs'],
    (client) => patchSettings(client, 'cms-edge-media-stage', { limits: {} }),
  ],
  [
    'caching switched on',
    'site-stage',
    ['script cacheOptions.enabled'],
    (client) => patchSettings(client, SITE, { cache_options: { enabled: true } }),
  ],
  [
    'invocation logs switched on',
    'site-stage',
    ['script observability.logs.invocationLogs'],
    (client) =>
      patchSettings(client, SITE, {
        observability: {
          enabled: true,
          logs: { enabled: true, invocation_logs: true },
        },
      }),
  ],
  [
    'a binding to another database',
    'site-stage',
    ['binding INVALIDATIONS'],
    async (client) => {
      const { uuid } = await client.d1.database.create({ ...of, name: 'other' })
      await editBindings(client, SITE, (bindings) =>
        bindings.map((each) =>
          each.type === 'd1' ? { type: 'd1', name: each.name, database_id: uuid } : each,
        ),
      )
    },
  ],
  [
    'a deleted database',
    'site-stage-mk2',
    ['database <id>'],
    (client) => client.d1.database.delete(databaseOf('site-stage-mk2'), of),
  ],
  [
    "someone else's route of equal precedence",
    'site-stage',
    ['route stage.localhost/*'],
    (client) => addRoute(client, 'https://stage.localhost/*'),
  ],
  [
    'workers.dev switched on',
    'site-stage',
    [`workers.dev ${SITE}`],
    (client) => client.workers.scripts.subdomain.create(SITE, { ...of, enabled: true }),
  ],
  [
    'another cron',
    'site-stage',
    [`cron ${SITE}`],
    (client) => client.workers.scripts.schedules.update(SITE, { ...of, body: [] }),
  ],
  [
    'a custom domain moved',
    'site-stage-mk2',
    ['custom domain stage2.localhost'],
    async (client) => {
      const { result } = await client.workers.domains.list(of)
      await client.workers.domains.delete(result[0]?.id ?? '', of)
      const moved = { ...of, ...zoneOf(), hostname: 'stage2.localhost', service: SITE }
      await client.workers.domains.update(moved)
    },
  ],
]

describe('npm run drift', () => {
  it.each(stacks)('finds nothing where nothing changed: %s', async (stack) => {
    const { baseURL, close } = await openAccount()
    expect(await runDrift(stack, baseURL)).toMatchObject({
      code: 0,
      report: { stack, drift: false, differences: [], unchecked: [] },
    })
    close()
  })

  it.each(stacks)('ignores every field that nobody declared: %s', async (stack) => {
    const { client, baseURL, close } = await openAccount({ withNewFields: true })
    const script = String(captures.get(stack)?.outputs.values.scriptName)
    const settings = await client.workers.scripts.scriptAndVersionSettings.get(script, of)
    for (const binding of settings.bindings ?? []) expect(binding).toHaveProperty('new_field', 1)
    expect(settings.limits).toHaveProperty('new_field', 1)
    expect(await runDrift(stack, baseURL)).toMatchObject({
      code: 0,
      report: { drift: false, differences: [], unchecked: [] },
    })
    close()
  })

  it.each(rows)('finds %s', async (_, stack, expected, change) => {
    const { client, baseURL, close } = await openAccount()
    await change(client)
    const { code, output, report } = await runDrift(stack, baseURL)
    const found = report.differences.map(({ what, name }: Record<string, string>) =>
      `${what} ${name}`.replace(databaseOf(stack), '<id>'),
    )
    expect({ code, found }).toEqual({ code: 7, found: expected })
    for (const { inputs } of captures.get(stack)?.resources ?? []) {
      for (const secret of JSON.stringify(inputs).match(/[0-9a-f]{48}/g) ?? []) {
        expect(output).not.toContain(secret)
      }
    }
    close()
  })

  it('finds a script that is gone', async () => {
    const { client, baseURL, close } = await openAccount()
    await client.workers.scripts.delete('cms-edge-media-stage', of)
    const { code, report } = await runDrift('media-stage', baseURL)
    expect(code).toBe(7)
    expect(report.differences[0]).toMatchObject({ what: 'script', live: 'gone' })
    close()
  })

  it('reports that it could not check', async () => {
    const { baseURL, close } = await openAccount()
    expect(await runDrift('site-stage', baseURL, 'a-wrong-token')).toMatchObject({
      code: 2,
      report: { drift: false, unchecked: [expect.stringContaining('403')] },
    })
    close()
    expect((await runDrift('site-stage', 'http://127.0.0.1:9')).code).toBe(2)
  })
})
