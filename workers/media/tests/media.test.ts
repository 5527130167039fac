import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { toCacheTag } from '../../../http/cache-tag.ts'
import type { CacheApi } from '../cache/edge-cache.ts'
import { createMediaWorker } from '../media.ts'
import type { LogLine } from '../request/request-trace.ts'
import { createCache } from './cache.ts'
import { CASES } from './cases.ts'
import { createInProcess } from './in-process.ts'
import { runCase } from './run-case.ts'

describe('with a double of S3', () => {
  test.each(CASES)('$name', (testCase) => runCase(createInProcess(), testCase))
})

const PATH = '/cmp-media/a.txt'
const MIB = 1024 * 1024

/** Creates a harness whose store contains `a.txt`. */
async function createHarness(options = {}) {
  const harness = createInProcess(options)
  await harness.upload('a.txt', '0123456789', 'text/plain')
  return {
    ...harness,
    get: async (path = PATH, headers = {}) => {
      const reply = await harness.send('reader', { path, headers })
      await harness.finishBackgroundWork()
      return reply
    },
  }
}

test('sends the Age of an entry, and reads the store again when it has expired', async () => {
  const { get, clock, countStoreReads } = await createHarness()
  await get()
  clock.now += 100_000
  const { headers } = await get()
  expect(headers.get('age')).toBe('100')
  expect(headers.get('cache-status')).toBe('cms-edge-media-test; hit; ttl=604700')
  clock.now += 604_800_000
  expect((await get()).headers.get('age')).toBeNull()
  expect(countStoreReads()).toBe(2)
})

test('finds an object that was uploaded after a 404, once the cached 404 has expired', async () => {
  const { get, upload, clock } = await createHarness()
  const path = '/cmp-media/new.txt'
  expect((await get(path)).status).toBe(404)
  await upload('new.txt', 'new', 'text/plain')
  expect((await get(path)).status).toBe(404)
  clock.now += 61_000
  expect((await get(path)).status).toBe(200)
})

test('serves an object from the store when the cache fails', async () => {
  const fail = () => Promise.reject(new Error('the cache is down'))
  const { get, lines } = await createHarness({ cache: { match: fail, put: fail, delete: fail } })
  expect(await get()).toMatchObject({ status: 200, body: '0123456789' })
  expect(lines.map(({ level, faults }) => [level, faults])).toEqual([
    ['info', ['edge: Error: the cache is down']],
    ['warn', ['after the response: Error: the cache is down']],
  ])
})

test('creates Cache-Control of a hit from its own settings, not from the entry', async () => {
  const cache = createCache(Date.now)
  await (await createHarness({ cache })).get()
  const { get, countStoreReads } = await createHarness({ cache, maxAge: 60 })
  expect((await get()).headers.get('cache-control')).toBe('public, max-age=60')
  expect(countStoreReads()).toBe(0)
})

test('caches no object whose body stalls', async () => {
  const { send, finishBackgroundWork, upload, setFault, isCached } = await createHarness()
  const path = '/cmp-media/large.txt'
  await upload('large.txt', 'x'.repeat(2 * MIB), 'text/plain')
  setFault({ type: 'stalled', after: MIB, times: 1 })
  await expect(send('reader', { path })).rejects.toThrow('no response within 400 ms')
  await finishBackgroundWork()
  expect(await isCached('reader', path)).toBe(false)
})

test('logs why a body was truncated', async () => {
  const { send, finishBackgroundWork, setFault, lines } = await createHarness()
  setFault({ type: 'stalled', after: 4, times: 1 })
  await expect(send('reader', { path: PATH })).rejects.toThrow()
  await finishBackgroundWork()
  expect(lines.at(-1)).toMatchObject({
    level: 'warn',
    faults: ['after the response: DeadlineError: no response within 400 ms'],
  })
})

test('caches an object once for concurrent requests', async () => {
  const cache = createCache(Date.now)
  const put: CacheApi['put'] = (...entry) => sleep(20).then(() => cache.put(...entry))
  const { send, finishBackgroundWork, countCachePuts } = await createHarness({
    cache: { ...cache, put },
  })
  const replies = await Promise.all(Array.from({ length: 5 }, () => send('reader', { path: PATH })))
  await finishBackgroundWork()
  expect(replies.map(({ body }) => body)).toEqual(Array(5).fill('0123456789'))
  expect(countCachePuts()).toBe(1)
})

test('logs no fault when an object without Content-Length is too large for the cache', async () => {
  const { get, upload, setFault, lines } = await createHarness()
  await upload('large.txt', 'x'.repeat(3 * MIB), 'text/plain')
  setFault({ type: 'altered', headers: { 'content-length': null }, ignoresRange: true, times: 2 })
  expect((await get('/cmp-media/large.txt')).body).toHaveLength(3 * MIB)
  expect(lines).toMatchObject([{ level: 'info', fill: 'passed-through' }])
  expect(lines[0]).not.toHaveProperty('faults')
})

test('logs one line per request, without query and headers', async () => {
  const { get, lines } = await createHarness()
  await get(`${PATH}?token=secret`, { authorization: 'Bearer secret', cookie: 'secret' })
  await get()
  const line = {
    level: 'info',
    worker: 'cms-edge-media-test',
    version: 'test',
    method: 'GET',
    host: 'stage.example',
    path: PATH,
    status: 200,
    ms: 0,
  }
  expect(lines).toEqual([
    { ...line, from: 'store', attempts: 1, fill: 'stored', store_ms: 0 },
    { ...line, from: 'edge' },
  ])
})

test('logs the error of the store, and does not send it', async () => {
  const { send, lines } = await createHarness()
  const { body } = await send('wrongSecret', { path: PATH })
  expect(body).toBe('The media store failed\n')
  expect(lines).toMatchObject([
    { level: 'error', status: 502, faults: ['403 SignatureDoesNotMatch'] },
  ])
})

test('forwards only the range of the client, and does not sign it', async () => {
  const { get, storeRequests } = await createHarness()
  await get(PATH, {
    range: 'bytes=0-1',
    cookie: 'a=b',
    authorization: 'Bearer x',
    'x-amz-acl': 'y',
  })
  const [{ headers } = new Request('http://none')] = storeRequests
  expect(headers.get('authorization')).toContain(
    'SignedHeaders=host;x-amz-content-sha256;x-amz-date,',
  )
  expect([...headers.keys()].toSorted()).toEqual([
    'accept-encoding',
    'authorization',
    'range',
    'x-amz-content-sha256',
    'x-amz-date',
  ])
})

test('reads a bucket whose name is in the host name', async () => {
  const bucketUrl = 'https://cms-edge-media-test.s3.eu-central-1.amazonaws.com'
  const { get, storeRequests } = await createHarness({ bucketUrl })
  expect(await get()).toMatchObject({ status: 200, body: '0123456789' })
  expect(storeRequests[0]?.url).toBe(`${bucketUrl}/a.txt`)
})

test('logs one of LOG_SAMPLE hits, and all other requests', async () => {
  let random = 0.5
  const { get, lines } = await createHarness({ logSample: 100, random: () => random })
  await get()
  await get()
  await get('/cmp-media/missing.txt')
  expect(lines.map(({ status, sampled }) => [status, sampled])).toEqual([
    [200, undefined],
    [404, undefined],
  ])
  random = 0.009
  await get()
  expect(lines.at(-1)).toMatchObject({ status: 200, from: 'edge', sampled: 100 })
})

test('tags each entry with its object and the worker', async () => {
  const cache = createCache(Date.now)
  const tags = new Map<string, string | null>()
  const put: CacheApi['put'] = (url, response) => {
    tags.set(url, response.headers.get('cache-tag'))
    return cache.put(url, response)
  }
  const { get, upload, finishBackgroundWork } = await createHarness({ cache: { ...cache, put } })
  await upload('large.mp4', 'x'.repeat(9 * MIB), 'video/mp4')
  for (const path of [PATH, '/cmp-media/missing.txt', '/cmp-media/large.mp4']) await get(path)
  await finishBackgroundWork()
  // The large object has an entry for its metadata and five slices.
  expect(tags.size).toBe(1 + 1 + 6)
  for (const [url, tag] of tags) {
    const { hostname, pathname } = new URL(url)
    expect(tag).toBe(`${await toCacheTag(hostname, pathname)},cms-edge-media-test`)
  }
})

test('responds 502 and logs the reason when bindings are missing', async () => {
  const lines: LogLine[] = []
  const unused = () => Promise.reject(new Error('not used'))
  const worker = createMediaWorker(
    { WORKER_NAME: 'cms-edge-media-test', STORE_SECRET_ACCESS_KEY: 'not to be shown' },
    {
      cache: { match: unused, put: unused, delete: unused },
      fetch: unused,
      createPipe: () => new TransformStream<Uint8Array, Uint8Array>(),
      retries: { attempts: 1, pauseMs: 1, responseMs: 1, chunkMs: 1 },
      now: Date.now,
      random: Math.random,
      log: (line) => lines.push(line),
    },
  )
  const response = await worker(new Request(`https://stage.example${PATH}?token=secret`), () => {})
  expect(response.status).toBe(502)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('retry-after')).toBe('5')
  expect(lines).toMatchObject([{ level: 'error', status: 502, path: PATH }])
  expect(JSON.stringify(lines)).toContain('STORE_BUCKET: expected a bucket name')
  expect(JSON.stringify(lines)).not.toMatch(/not to be shown|token/)
})
