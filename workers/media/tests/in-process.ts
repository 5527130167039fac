import type { CacheApi } from '../cache/edge-cache.ts'
import { createMedia } from '../media.ts'
import type { LogLine } from '../request/request-trace.ts'
import { createCache } from './cache.ts'
import { createFaults } from './faults.ts'
import type { Credential, Harness } from './harness.ts'
import { createDouble, signUpload } from './stores.ts'

const SITE_ORIGIN = 'https://stage.example'
const STORE_ORIGIN = 'http://store.example'

interface InProcessOptions {
  cache?: CacheApi
  bucketUrl?: string
  maxAge?: number
  logSample?: number
  random?: () => number
}

/** Creates a harness in this process: the worker with doubles of the store, the cache and the clock. */
export function createInProcess(options: InProcessOptions = {}) {
  const s3 = createDouble()
  const { bucket, region, credentials } = s3
  const clock = { now: Date.now() }
  const now = () => clock.now
  const faults = createFaults(s3.handle)
  const cache = options.cache ?? createCache(now)
  const bucketUrl = options.bucketUrl ?? `${STORE_ORIGIN}/${bucket}`
  const lines: LogLine[] = []
  const storeRequests: Request[] = []
  const pending = new Set<Promise<unknown>>()
  let puts = 0

  const createWorker = (credential: Credential) =>
    createMedia({
      name: 'cms-edge-media-test',
      version: 'test',
      maxAge: options.maxAge ?? 604_800,
      store: { bucketUrl, region, ...credentials[credential] },
      retries: { attempts: 3, pauseMs: 1, responseMs: 1000, chunkMs: 400 },
      logSample: options.logSample ?? 1,
      random: options.random ?? Math.random,
      cache: {
        ...cache,
        put(url, response) {
          puts++
          return cache.put(url, response)
        },
      },
      fetch(request, init) {
        storeRequests.push(request)
        return faults.handle(new Request(request, init))
      },
      createPipe,
      now,
      log: (line) => lines.push(line),
    })
  const workers = {
    reader: createWorker('reader'),
    cannotList: createWorker('cannotList'),
    revoked: createWorker('revoked'),
    wrongSecret: createWorker('wrongSecret'),
  }

  const harness: Harness = {
    async upload(key, body, contentType) {
      const response = await s3.handle(await signUpload(s3, STORE_ORIGIN, key, body, contentType))
      if (!response.ok) throw new Error(`upload of ${key}: ${response.status}`)
    },
    async send(credential, { path, method = 'GET', headers = {} }) {
      const request = new Request(new URL(path, SITE_ORIGIN), { method, headers })
      // A Request normalises its path; the runtime passes the path as it was sent.
      Object.defineProperty(request, 'url', { value: SITE_ORIGIN + path })
      const response = await workers[credential](request, (work) => {
        pending.add(work)
        work.finally(() => pending.delete(work))
      })
      return { status: response.status, headers: response.headers, body: await response.text() }
    },
    async finishBackgroundWork() {
      while (pending.size > 0) await Promise.allSettled(pending)
    },
    isCached: async (_, path) => (await cache.match(new Request(SITE_ORIGIN + path))) !== undefined,
    seedCache: (_, path, body) =>
      cache.put(
        SITE_ORIGIN + path,
        new Response(body, { headers: { 'cache-control': 'max-age=600' } }),
      ),
    setFault: faults.set,
    countStoreReads: faults.countReads,
  }
  return { ...harness, lines, clock, storeRequests, countCachePuts: () => puts }
}

// Like FixedLengthStream: a body of another length is an error.
function createPipe(length: number) {
  let remaining = length
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      remaining -= chunk.length
      if (remaining < 0) throw new TypeError('more bytes than the length')
      controller.enqueue(chunk.slice())
    },
    flush() {
      if (remaining > 0) throw new TypeError('fewer bytes than the length')
    },
  })
}
