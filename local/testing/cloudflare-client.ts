import Client from 'cloudflare'
import { type Mock, vi } from 'vitest'
import { type CloudflareAccount, createAccount } from '../emulators/cloudflare/account.ts'
import { createCloudflareApi } from '../emulators/cloudflare/cloudflare-api.ts'

export const TOKEN = 'a-token-of-forty-characters-0123456789ab'
export const MODULE = 'export default { fetch: () => new Response("ok") }'

/** Path parameters of the client's methods. */
export const inAccount = { account_id: 'account' }
export const inZone = { zone_id: 'zone' }

interface TestApi {
  client: Client
  api: ReturnType<typeof createCloudflareApi>
  cloudflare: CloudflareAccount
  onChange: Mock
}

/** Opens the API of an empty account, which accepts `TOKEN`; Cloudflare's client sends `apiToken`. */
export function openTestApi(apiToken: string = TOKEN): TestApi {
  const onChange = vi.fn()
  const cloudflare = createAccount()
  const api = createCloudflareApi({ cloudflare, token: TOKEN, onChange })
  const client = new Client({
    apiToken,
    maxRetries: 0,
    baseURL: 'http://api/client/v4',
    fetch: async (input, init) => api.fetch(new Request(input, init)),
  })
  return { client, api, cloudflare, onChange }
}

interface WireBinding {
  type: string
  name: string
  text: string
}

export const textBinding = (name: string, text: string): WireBinding => ({
  type: 'plain_text',
  name,
  text,
})

export const secretBinding = (name: string, text: string): WireBinding => ({
  type: 'secret_text',
  name,
  text,
})

/** Uploads a script with one module. */
export async function upload(
  client: Client,
  name: string,
  metadata: object = {},
  content: string = MODULE,
): Promise<void> {
  const body = new FormData()
  const whole = { main_module: 'index.js', compatibility_date: '2026-07-01', ...metadata }
  body.set('metadata', JSON.stringify(whole))
  body.set('index.js', new File([content], 'index.js'))
  await client.put(`/accounts/account/workers/scripts/${name}`, { body })
}

/** Changes settings of a script; those that `settings` omits stay. */
export async function patchSettings(client: Client, name: string, settings: object): Promise<void> {
  const body = new FormData()
  body.set('settings', JSON.stringify(settings))
  await client.patch(`/accounts/account/workers/scripts/${name}/settings`, { body })
}

type Settings = Awaited<ReturnType<Client['workers']['scripts']['scriptAndVersionSettings']['get']>>

export function readSettings(client: Client, name: string): Promise<Settings> {
  return client.workers.scripts.scriptAndVersionSettings.get(name, inAccount)
}
