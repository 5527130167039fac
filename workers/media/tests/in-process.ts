import type { EdgeCache } from '../cache/edge.ts'
import { createMedia } from '../media.ts'
import type { Line } from '../request/request-trace.ts'
import { createCache } from './cache.ts'
import { createFaults } from './faults.ts'
import type { Bed, Holder } from './harness.ts'
import { createDouble, signUpload } from './stores.ts'

const EDGE = 'https://stage.example'
const STORE = 'http://store.example'

type Options = { cache?: EdgeCache; bucketUrl?: string; maxAge?: number }

/** A bed without any process: the worker's own functions over doubles of store, cache and clock. */
export function createInProcess(options: Options = {}) {
  const s3 = createDouble()
  const { bucket, region, credentials } = s3
  const clock = { now: Date.now() }
  const now = () => clock.now
  const faults = createFaults(s3.handle)
  const cache = options.cache ?? createCache(now)
  const bucketUrl = options.bucketUrl ?? `${STORE}/${bucket}`
  const lines: Line[] = []
  const requests: Request[] = []
  const pending = new Set<Promise<unknown>>()
  let puts = 0

  const start = (holder: Holder) =>
    createMedia({
      name: 'cms-edge-media-test',
      version: 'test',
      maxAge: options.maxAge ?? 604_800,
      store: { bucketUrl, region, ...credentials[holder] },
      patience: { attempts: 3, attemptMs: 40, totalMs: 100, pauseMs: 1, chunkMs: 40 },
      cache: {
        ...cache,
        put(url, response) {
          puts++
          return cache.put(url, response)
        },
      },
      fetch(request, init) {
        requests.push(request)
        return faults.handle(new Request(request, init))
      },
      createPipe,
      now,
      log: (line) => lines.push(line),
    })
  const workers = {
    reader: start('reader'),
    blind: start('blind'),
    revoked: start('revoked'),
    impostor: start('impostor'),
  }

  const bed: Bed = {
    async upload(key, body, contentType) {
      const response = await s3.handle(await signUpload(s3, STORE, key, body, contentType))
      if (!response.ok) throw new Error(`upload of ${key}: ${response.status}`)
    },
    async send(holder, { path, method = 'GET', headers = {} }) {
      const request = new Request(new URL(path, EDGE), { method, headers })
      // A Request mends its path; what comes in from the wire is not mended.
      Object.defineProperty(request, 'url', { value: EDGE + path })
      const response = await workers[holder](request, (work) => {
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
  return { ...bed, lines, clock, requests, cachePuts: () => puts }
}

// What FixedLengthStream does: a body that is shorter or longer than promised is an error.
function createPipe(length: number | undefined) {
  let left = length ?? Number.POSITIVE_INFINITY
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.length
      if (left < 0) throw new TypeError('more bytes than promised')
      controller.enqueue(chunk.slice())
    },
    flush() {
      if (length !== undefined && left > 0) throw new TypeError('fewer bytes than promised')
    },
  })
}
