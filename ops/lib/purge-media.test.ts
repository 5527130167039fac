import { expect, test } from 'vitest'
import { toCacheTag } from '../../http/cache-tag.ts'
import { createAccount, putRoute, putScript } from '../../local/emulators/cloudflare/account.ts'
import { createCloudflareApi } from '../../local/emulators/cloudflare/cloudflare-api.ts'
import { type MediaPurge, purgeMedia } from './purge-media.ts'

const token = 'a-token-of-forty-characters-0123456789ab'
const target = { scriptName: 'media', zoneId: 'zone' }
const delays = { repeatMs: 0, retryMs: 1 }

/** Opens Cloudflare's API with a media worker on two hosts, and records the tags of each purge. */
function open() {
  const cloudflare = createAccount()
  putScript(cloudflare, 'media', {
    mainModule: 'index.js',
    content: '',
    bindings: [],
    compatibilityDate: '2026-07-01',
    compatibilityFlags: [],
    settings: {},
  })
  for (const host of ['stage.example.com', 'stage2.example.com']) {
    putRoute(cloudflare, host, { zoneId: 'zone', pattern: `${host}/cmp-media/*`, script: 'media' })
  }
  const clock = { now: 0 }
  const purges: (readonly string[])[] = []
  const emulator = createCloudflareApi({
    cloudflare,
    token,
    now: () => clock.now,
    async purgeTags(tags) {
      purges.push(tags)
    },
  })
  const lines: string[] = []
  const api = async (path: string, init: RequestInit = {}) => {
    const headers = { ...init.headers, authorization: `Bearer ${token}` }
    const response = await emulator.request(`/client/v4${path}`, { ...init, headers })
    // Advances the clock until the emulator accepts purges again, so that the test need not wait.
    if (response.status === 429) clock.now += 12_000
    const seconds = response.headers.get('retry-after')
    if (seconds) response.headers.set('retry-after', '0.001')
    return response
  }
  const run = (purge: MediaPurge) =>
    purgeMedia(api, target, purge, (line) => lines.push(line), delays)
  return { purges, lines, run }
}

test('purges an object on every host of the worker, twice', async () => {
  const { purges, run } = open()
  await run({ urls: ['/cmp-media/photos/a b.jpg?v=2'] })
  const path = '/cmp-media/photos/a%20b.jpg'
  const tags = [
    await toCacheTag('stage.example.com', path),
    await toCacheTag('stage2.example.com', path),
  ]
  expect(purges).toEqual([tags, tags])
})

test('purges an object of one host by its URL', async () => {
  const { purges, run } = open()
  await run({ urls: ['https://Stage.example.com/cmp-media/a.jpg'] })
  expect(purges[0]).toEqual([await toCacheTag('stage.example.com', '/cmp-media/a.jpg')])
})

test('purges everything by the tag of the worker', async () => {
  const { purges, run } = open()
  await run({ all: true })
  expect(purges).toEqual([['media'], ['media']])
})

test('sends at most 100 tags per request, and retries after a 429', async () => {
  const { purges, lines, run } = open()
  const urls = Array.from({ length: 1500 }, (_, object) => `/cmp-media/${object}.jpg`)
  expect(await run({ urls })).toBe(3000)
  expect(purges.map(({ length }) => length)).toEqual(Array(60).fill(100))
  // The emulator accepts 25 of the 60 requests at once; each of the others has to wait.
  expect(lines.filter((line) => line.startsWith('Cloudflare limits purges')).length).toBe(35)
})

test.each([
  ['/about', '/about is not the path of an object, such as /cmp-media/photos/a.jpg.'],
  ['/cmp-media/../secret', '/cmp-media/../secret is not the path of an object'],
  ['https://www.example.com/cmp-media/a.jpg', 'media does not serve www.example.com, only'],
])('rejects %s', async (url, message) => {
  const { purges, run } = open()
  await expect(run({ urls: [url] })).rejects.toThrow(message)
  expect(purges).toEqual([])
})
