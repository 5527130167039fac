import type { Line } from '../visit.ts'
import { createMedia, type Media } from '../media.ts'
import { createCache } from './cache.ts'
import type { Bed, Holder } from './cases.ts'
import { createFaults } from './faults.ts'
import { createS3 } from './s3.ts'
import { RIGHTS, signUpload, TEST_STORE } from './stores.ts'

const EDGE = 'https://stage.example'
const STORE = 'http://store.example'
const MAX_AGE = 604_800

/** A bed without any process: the worker's own functions over doubles of store, cache and clock. */
export function createInProcess() {
  const { bucket, region, credentials } = TEST_STORE
  const clock = { now: Date.now() }
  const now = () => clock.now
  const s3 = createS3({ bucket, region, credentials: RIGHTS })
  const faults = createFaults(s3.handle)
  const cache = createCache(now)
  const lines: Line[] = []
  const pending = new Set<Promise<unknown>>()

  const workers = new Map<Holder, Media>()
  const worker = (holder: Holder) => {
    const media =
      workers.get(holder) ??
      createMedia({
        name: 'cms-edge-media-test',
        version: 'test',
        maxAge: MAX_AGE,
        store: { bucketUrl: `${STORE}/${bucket}`, region, ...credentials[holder] },
        patience: { attempts: 3, attemptMs: 40, totalMs: 100, pauseMs: 1 },
        cache,
        fetch: (request, init) => faults.handle(new Request(request, init)),
        createPipe,
        now,
        log: (line) => lines.push(line),
      })
    workers.set(holder, media)
    return media
  }

  const bed: Bed = {
    async upload(key, body, contentType) {
      const response = await s3.handle(await signUpload(STORE, key, body, contentType))
      if (!response.ok) throw new Error(`upload of ${key}: ${response.status}`)
    },
    async send(holder, { path, method = 'GET', headers = {} }) {
      const request = new Request(new URL(path, EDGE), { method, headers })
      Object.defineProperty(request, 'url', { value: EDGE + path })
      const response = await worker(holder)(request, (work) => {
        pending.add(work)
        work.finally(() => pending.delete(work))
      })
      return { status: response.status, headers: response.headers, body: await response.text() }
    },
    async settled() {
      while (pending.size > 0) await Promise.allSettled(pending)
    },
    isCached: async (_, path) => (await cache.match(new Request(EDGE + path))) !== undefined,
    plant: (_, path, body) =>
      cache.put(EDGE + path, new Response(body, { headers: { 'cache-control': 'max-age=600' } })),
    setFault: faults.set,
    countAsked: faults.count,
  }
  return { ...bed, s3, cache, lines, clock, worker }
}

// What FixedLengthStream does: a body that is shorter or longer than promised is an error.
function createPipe(size: number) {
  let left = size
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.length
      if (left < 0) throw new TypeError('more bytes than promised')
      controller.enqueue(chunk)
    },
    flush() {
      if (left > 0) throw new TypeError('fewer bytes than promised')
    },
  })
}
