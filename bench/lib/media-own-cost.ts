import { createMedia } from '../../workers/media/media.ts'

const CALLS = 20_000
const ENTRY = {
  'content-type': 'image/jpeg',
  'content-length': '0',
  etag: '"781e5e245d69b566979b86e28d23f2c7"',
  'last-modified': 'Tue, 03 Nov 2026 09:00:00 GMT',
  'cms-media-stored': String(Date.now()),
}

/**
 * Measures a hit with a cache that responds immediately. Returns the worker's CPU time in microseconds and
 * the number of its cache lookups, each per hit.
 */
export async function measureOwnCost(): Promise<{ microseconds: number; matches: number }> {
  let matches = 0
  const media = createMedia({
    name: 'cms-edge-media-bench',
    version: 'bench',
    maxAge: 604_800,
    store: { bucketUrl: 'http://none', region: 'none', accessKeyId: 'a', secretAccessKey: 'b' },
    retries: { attempts: 1, pauseMs: 1, responseMs: 1, chunkMs: 1 },
    logSample: 1,
    random: () => 1,
    cache: {
      async match() {
        matches++
        return new Response('', { headers: ENTRY })
      },
      put: () => Promise.reject(new Error('a hit must not put')),
      delete: () => Promise.reject(new Error('a hit must not delete')),
    },
    fetch: () => Promise.reject(new Error('a hit must not fetch')),
    createPipe: () => new TransformStream<Uint8Array, Uint8Array>(),
    now: Date.now,
    log: () => undefined,
  })
  const hit = async () => {
    const response = await media(
      new Request('https://stage.example/cmp-media/articles/a.jpg'),
      () => {},
    )
    if (response.status !== 200) throw new Error(`a hit responded with ${response.status}`)
  }
  for (let call = 0; call < CALLS; call++) await hit()
  matches = 0
  const before = process.cpuUsage()
  for (let call = 0; call < CALLS; call++) await hit()
  const { user, system } = process.cpuUsage(before)
  return { microseconds: (user + system) / CALLS, matches: matches / CALLS }
}
