import { expect, test } from 'vitest'
import type { CloudflareApi } from './cloudflare.ts'
import { readLive } from './live.ts'

const declaration = {
  accountId: 'account',
  zoneId: 'zone',
  scriptName: 'site',
  settings: {},
  contentSha256: 'c'.repeat(64),
  bindings: [],
  routes: [],
  hostnames: [],
  crons: [],
}

test.each([
  ['no paging', {}],
  ['paging that is null', { result_info: null }],
  ['one page', { result_info: { page: 1, total_pages: 1 } }],
])('reads a list with %s', async (_, paging) => {
  const read: CloudflareApi = async (path) => {
    if (path.endsWith('/settings')) return new Response(null, { status: 404 })
    const result = path.includes('/routes') ? [{ pattern: 'a.example/*', script: '' }] : []
    return Response.json({ result, ...paging })
  }
  expect(await readLive(read, declaration)).toEqual({
    script: undefined,
    database: undefined,
    routes: [{ pattern: 'a.example/*', script: undefined }],
    domains: [],
  })
})
