import { expect, test } from 'vitest'
import { createAccount } from './account.ts'
import { createCloudflareApi } from './cloudflare-api.ts'

const token = 'a-token-of-forty-characters-0123456789ab'

function openPurgeApi() {
  const clock = { now: 0 }
  const purged: string[] = []
  let changes = 0
  const api = createCloudflareApi({
    cloudflare: createAccount(),
    token,
    now: () => clock.now,
    async purgeTags(tags) {
      purged.push(...tags)
    },
    onChange() {
      changes++
    },
  })
  const purge = (body: unknown) =>
    api.request('/client/v4/zones/zone/purge_cache', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
  return { clock, purged, purge, changes: () => changes }
}

test('purges by tag, ignoring case, and does not change the account', async () => {
  const { purged, purge, changes } = openPurgeApi()
  const response = await purge({ tags: ['One', 'two'] })
  expect(await response.json()).toMatchObject({ success: true, result: { id: 'zone' } })
  expect(purged).toEqual(['one', 'two'])
  expect(changes()).toBe(0)
})

test.each([
  ['no tag', { tags: [] }],
  ['more than 100 tags', { tags: Array(101).fill('tag') }],
  ['a tag of more than 1,024 characters', { tags: ['x'.repeat(1025)] }],
  ['a tag with a space', { tags: ['a b'] }],
  ['another way to purge', { purge_everything: true }],
])('rejects %s', async (_, body) => {
  const { purged, purge } = openPurgeApi()
  expect((await purge(body)).status).toBe(400)
  expect(purged).toEqual([])
})

test('accepts a burst of 25 requests, then five a minute', async () => {
  const { clock, purge } = openPurgeApi()
  for (let call = 0; call < 25; call++) expect((await purge({ tags: ['tag'] })).status).toBe(200)
  const rejected = await purge({ tags: ['tag'] })
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '12'])
  clock.now += 12_000
  expect((await purge({ tags: ['tag'] })).status).toBe(200)
  expect((await purge({ tags: ['tag'] })).status).toBe(429)
})
