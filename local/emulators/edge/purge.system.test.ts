import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findFreePort } from '../../lib/ports.ts'
import { createAccount, putRoute, putScript } from '../cloudflare/account.ts'
import { createCloudflareApi } from '../cloudflare/cloudflare-api.ts'
import { type Edge, startEdge } from './edge.ts'
import { purgeTags } from './purge.ts'

// Caches every URL with two tags: its path and `Shared`.
const WORKER = `
  export default {
    async fetch(request) {
      const hit = await caches.default.match(request.url)
      if (hit) return new Response('hit')
      const tag = new URL(request.url).pathname.slice(1)
      const headers = { 'cache-control': 'max-age=600', 'cache-tag': tag + ',Shared' }
      await caches.default.put(request.url, new Response('cached', { headers }))
      return new Response('miss')
    },
  }
`
const token = 'a-token-of-forty-characters-0123456789ab'
const edgeToken = 'edge-token'
const cloudflare = createAccount()
let folder: string
let port: number
let edge: Edge
let api: ReturnType<typeof createCloudflareApi>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-edge-purge-'))
  port = await findFreePort()
  putScript(cloudflare, 'media', {
    mainModule: 'index.js',
    content: WORKER,
    bindings: [],
    compatibilityDate: '2026-07-01',
    compatibilityFlags: [],
    settings: {},
  })
  putRoute(cloudflare, 'route', { zoneId: 'zone', pattern: '127.0.0.1/*', script: 'media' })
  const logFile = join(folder, 'edge.log')
  edge = await startEdge({ cloudflare, port, folder, logFile, notFoundPage: '', edgeToken })
  api = createCloudflareApi({
    cloudflare,
    token,
    purgeTags: (tags) => purgeTags({ folder, port, edgeToken }, tags),
  })
})
afterAll(async () => {
  await edge.stop()
  await rm(folder, { recursive: true })
})

const get = (path: string) =>
  fetch(`http://127.0.0.1:${port}/${path}`).then((response) => response.text())
const purge = async (...tags: string[]) =>
  api.request('/client/v4/zones/zone/purge_cache', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ tags }),
  })

test('a purge deletes only the entries of its tags', async () => {
  for (const path of ['one', 'two']) expect(await get(path)).toBe('miss')
  await vi.waitFor(async () => expect(await get('one')).toBe('hit'))
  expect((await purge('ONE')).status).toBe(200)
  expect(await get('two')).toBe('hit')
  expect(await get('one')).toBe('miss')
  expect((await purge('shared')).status).toBe(200)
  expect([await get('one'), await get('two')]).toEqual(['miss', 'miss'])
})

test('a request with a wrong token does not purge', async () => {
  await get('one')
  const headers = { 'local-purge-token': 'wrong' }
  const body = JSON.stringify([`http://127.0.0.1:${port}/one`])
  await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })
  expect(await get('one')).toBe('hit')
})
