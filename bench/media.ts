import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { Miniflare, Response } from 'miniflare'
import { listen } from '../workers/media/tests/listen.ts'
import { generatedBytes } from '../workers/media/tests/s3.ts'
import { createDouble } from '../workers/media/tests/stores.ts'
import { bundleWorker, toWorker } from '../workers/media/tests/workerd.ts'
import { discardLogs } from './lib/discard-logs.ts'
import { compareLoad, type LoadResult, median, toRatio } from './lib/load.ts'
import { measureMix } from './lib/media-mix.ts'
import { measureOwnCost } from './lib/media-own-cost.ts'
import { type Figure, report } from './lib/report.ts'
import {
  bundleMatchOrPut,
  bundleSignedFetch,
  MATCH_ONLY,
  toBaseline,
} from './peers/media-baselines.ts'

const MIB = 1024 * 1024
const PICTURE = Buffer.alloc(256 * 1024, 'a large picture ')
/** First and last byte of the range that a resumed download of the picture requests. */
const [FIRST, LAST] = [1000, 128_999]
/** Delay of a store in the same region. */
const STORE_DELAY_MS = 15
/** Time in which a response that was sent is also stored in the edge cache. */
const STORED_MS = 500

const PICTURE_PATH = '/cmp-media/articles/hit.jpg'
/** A video is cached in slices. */
const VIDEO_PATH = '/cmp-media/articles/video.mp4'
const VIDEO_BYTES = 80 * MIB
/** First byte of a range that is within one slice. */
const VIDEO_START = 50 * MIB + 1000
const SLICE_BYTES = 2 * MIB
/** Positions in bytes to which a player seeks. */
const SEEKS = [0, 61, 13, 40, 27, 70].map((mib) => mib * MIB)
/** Number of bytes that the player reads at each position. */
const SEEK_BYTES = 5 * MIB
const CONCURRENT_CLIENTS = 200
const HITS = { rounds: 150, seconds: 0.02, connections: 8 }
const MISSES = { rounds: 20, seconds: 0.5, connections: 1 }

const store = createDouble()
store.putGenerated('articles/video.mp4', VIDEO_BYTES, 'video/mp4')
const storeReads: string[] = []
const server = await listen(async (request) => {
  const key = new URL(request.url).pathname.split('/').slice(2).join('/')
  storeReads.push(key)
  if (key.endsWith('.jpg')) store.put(key, PICTURE, { 'content-type': 'image/jpeg' })
  await sleep(STORE_DELAY_MS)
  return store.handle(request)
})

discardLogs()
const script = await bundleWorker()
// The media worker has the name of its credential, `reader`.
const worker = toWorker(script, store, server.url, 'reader')
// The value that infra/ declares.
const media = { ...worker, bindings: { ...worker.bindings, LOG_SAMPLE: '100' } }
const miniflare = new Miniflare({
  cf: false,
  logRequests: false,
  workers: [
    media,
    toBaseline('match', MATCH_ONLY, media),
    toBaseline('signed', await bundleSignedFetch(), media),
    toBaseline('match-or-put', await bundleMatchOrPut(), media),
  ],
})

try {
  // Misses are measured first, because thousands of hits make the process larger and slower.
  const misses = await measureMisses()
  const crowd = await measureCrowd()
  const video = await measureVideo()
  const mix = await measureMix({ ...store, toUrl: (path) => toUrl('reader', path), storeReads })
  const hits = await measureHits()
  const ownCost = await measureOwnCosts()
  report([...hits, misses, ...crowd, ...video, ...mix, ...ownCost, measureBundle()])
} finally {
  await miniflare.dispose()
  await server.close()
}

/** Compares hits with those of a worker that only matches in the edge cache and sends the same response. */
async function measureHits(): Promise<Figure[]> {
  const urls = { media: await toUrl('reader'), match: await toUrl('match') }
  const etag = await fillCaches(urls)
  const part = PICTURE.subarray(FIRST, LAST + 1)
  const kinds = {
    hit: { headers: {}, expects: { status: 200, body: PICTURE } },
    part: { headers: { range: `bytes=${FIRST}-${LAST}` }, expects: { status: 206, body: part } },
    'not-modified': { headers: { 'if-none-match': etag }, expects: { status: 304, body: '' } },
  }
  const figures: Figure[] = []
  for (const [name, kind] of Object.entries(kinds)) {
    const turns = await compareLoad(
      { media: { url: urls.media, ...kind }, match: { url: urls.match, ...kind } },
      HITS,
    )
    figures.push(...toFigures(`media.${name}`, turns, 0.92))
  }
  return [...figures, ...(await measureSlices())]
}

/** Compares ranges of an object in slices with a match of one entry that has the whole object. */
async function measureSlices(): Promise<Figure[]> {
  const urls = { media: await toUrl('reader', VIDEO_PATH), match: await toUrl('match', VIDEO_PATH) }
  const end = VIDEO_START + LAST - FIRST
  const headers = { range: `bytes=${VIDEO_START}-${end}` }
  // The S3 double generates chunks of at most 64 KiB.
  const middle = VIDEO_START + 65_536
  const body = Buffer.concat([generatedBytes(VIDEO_START, middle - 1), generatedBytes(middle, end)])
  const expects = { status: 206, body }
  await fetch(urls.media, { headers }).then((reply) => reply.arrayBuffer())
  const caches = await miniflare.getCaches()
  const whole = await fetch(urls.media)
  const entry = new Response(await whole.arrayBuffer(), { headers: [...whole.headers] })
  await caches.default.put(urls.match, entry)
  await sleep(STORED_MS)
  const turns = await compareLoad(
    { media: { url: urls.media, headers, expects }, match: { url: urls.match, headers, expects } },
    HITS,
  )
  return toFigures('media.slice', turns, 0.45)
}

function toFigures(
  name: string,
  { media, match }: Record<'media' | 'match', LoadResult[]>,
  goal: number,
): Figure[] {
  return [
    { name, value: toRatio(media, match), unit: 'x', goal: { op: '>=', value: goal } },
    { name: `${name}.rate`, value: median(media.map(({ rate }) => rate)), unit: '/s' },
  ]
}

/** Compares concurrent requests for one uncached object with a worker that does not share its store reads. */
async function measureCrowd(): Promise<Figure[]> {
  const path = '/cmp-media/articles/crowd.jpg'
  const measure = async (worker: string) => {
    const url = await toUrl(worker, path)
    const readsBefore = storeReads.length
    const startedAt = performance.now()
    const replies = await Promise.all(
      Array.from({ length: CONCURRENT_CLIENTS }, async () => {
        const reply = await fetch(url)
        const body = Buffer.from(await reply.arrayBuffer())
        return reply.status === 200 && body.equals(PICTURE)
      }),
    )
    if (replies.includes(false))
      throw new Error(`${worker} sent a wrong response to a concurrent request`)
    return { ms: performance.now() - startedAt, reads: storeReads.length - readsBefore }
  }
  const [shared, plain] = [await measure('reader'), await measure('match-or-put')]
  return [
    {
      name: 'media.crowd.time',
      value: shared.ms / plain.ms,
      unit: 'x',
      goal: { op: '<=', value: 1 },
    },
    {
      name: 'media.crowd.store-reads',
      value: shared.reads,
      unit: '',
      goal: { op: '<=', value: 2 },
    },
  ]
}

/** Counts the store reads of two viewers, one after the other, who seek in an uncached video. */
async function measureVideo(): Promise<Figure[]> {
  const url = await toUrl('reader', VIDEO_PATH)
  const countReads = async () => {
    const readsBefore = storeReads.length
    for (const start of SEEKS) {
      const headers = { range: `bytes=${start}-${start + SEEK_BYTES - 1}` }
      const { byteLength } = await fetch(url, { headers }).then((reply) => reply.arrayBuffer())
      if (byteLength !== SEEK_BYTES) throw new Error(`a seek to ${start} got ${byteLength} bytes`)
    }
    return storeReads.length - readsBefore
  }
  const slices = SEEKS.flatMap((start) => {
    const first = Math.floor(start / SLICE_BYTES)
    const last = Math.floor((start + SEEK_BYTES - 1) / SLICE_BYTES)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
  const requestedSlices = new Set(slices).size
  const readsOfFirst = await countReads()
  await sleep(STORED_MS)
  const readsOfSecond = await countReads()
  return [
    {
      name: 'media.video.store-reads',
      value: readsOfFirst,
      unit: '',
      goal: { op: '<=', value: requestedSlices },
    },
    {
      name: 'media.video.second-viewer',
      value: readsOfSecond,
      unit: '',
      goal: { op: '<=', value: 0 },
    },
  ]
}

/** Compares misses with a worker that only signs each request and fetches it from the store. */
async function measureMisses(): Promise<Figure> {
  let misses = 0
  const toTarget = async (name: string) => {
    const nextPath = () => `/cmp-media/articles/${name}/miss-${misses++}.jpg`
    return { url: await toUrl(name), nextPath, expects: { status: 200, body: PICTURE } }
  }
  const turns = await compareLoad(
    { media: await toTarget('reader'), signed: await toTarget('signed') },
    MISSES,
  )
  const value = toRatio(turns.signed, turns.media)
  return { name: 'media.miss.time', value, unit: 'x', goal: { op: '<=', value: 1.2 } }
}

async function measureOwnCosts(): Promise<Figure[]> {
  const { microseconds, matches } = await measureOwnCost()
  return [
    { name: 'media.hit.own-cpu', value: microseconds, unit: 'us' },
    { name: 'media.hit.edge-matches', value: matches, unit: '' },
  ]
}

function measureBundle(): Figure {
  const value = gzipSync(script, { level: 9 }).length / 1024
  return { name: 'media.bundle', value, unit: 'KiB', goal: { op: '<=', value: 14 } }
}

async function toUrl(worker: string, path = PICTURE_PATH): Promise<string> {
  return new URL(path, await miniflare.unsafeGetDirectURL(worker)).href
}

/**
 * Fills the media worker's entry by a miss, and stores the response under the key
 * of the worker that only matches. Returns the ETag.
 */
async function fillCaches({ media, match }: Record<'media' | 'match', string>) {
  await fetch(media).then((reply) => reply.arrayBuffer())
  await sleep(STORED_MS)
  const { headers } = await fetch(media, { method: 'HEAD' })
  const caches = await miniflare.getCaches()
  await caches.default.put(match, new Response(PICTURE, { headers: [...headers] }))
  await sleep(STORED_MS)
  return headers.get('etag') ?? ''
}
