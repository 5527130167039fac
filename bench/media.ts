import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { Miniflare, Response } from 'miniflare'
import { listen } from '../workers/media/tests/listen.ts'
import { createDouble } from '../workers/media/tests/stores.ts'
import { bundleWorker, toWorker } from '../workers/media/tests/workerd.ts'
import { discardLogs } from './lib/discard-logs.ts'
import { median, race, type Turn, toRatio } from './lib/load.ts'
import { measureOwnCost } from './lib/media-own-cost.ts'
import { type Figure, report } from './lib/report.ts'
import { bundleSignedFetch, MATCH_ONLY, toContender } from './peers/media-baselines.ts'

// A large picture, the part of it that a broken download asks for, and the first byte of a store in
// the same region.
const PICTURE = Buffer.alloc(256 * 1024, 'a large picture ')
const [FIRST, LAST] = [1000, 128_999]
const STORE_MS = 15

const PATH = '/cmp-media/articles/hit.jpg'
const HITS = { rounds: 300, seconds: 0.02, connections: 8 }
const MISSES = { rounds: 20, seconds: 0.5, connections: 1 }

const store = createDouble()
const server = await listen(async (request) => {
  const key = new URL(request.url).pathname.split('/').slice(2).join('/')
  store.put(key, PICTURE, { 'content-type': 'image/jpeg' })
  await sleep(STORE_MS)
  return store.handle(request)
})

discardLogs()
const script = await bundleWorker()
const ours = toWorker(script, store, server.url, 'reader')
const miniflare = new Miniflare({
  cf: false,
  logRequests: false,
  workers: [
    ours,
    toContender('silent', await bundleWorker(['console']), ours),
    toContender('match', MATCH_ONLY, ours),
    toContender('signed', await bundleSignedFetch(), ours),
  ],
})

try {
  // Misses first: thousands of hits leave a heavier process behind, and a miss is mostly waiting.
  const misses = await measureMisses()
  const hits = await measureHits()
  report([...hits, misses, ...(await measureOwn()), measureBundle()])
} finally {
  await miniflare.dispose()
  await server.close()
}

/** Hits beside a worker that only matches in the edge cache and gives the same answer. */
async function measureHits(): Promise<Figure[]> {
  const urls = {
    ours: await toUrl('reader'),
    silent: await toUrl('silent'),
    match: await toUrl('match'),
  }
  const etag = await fill(urls)
  const part = PICTURE.subarray(FIRST, LAST + 1)
  const kinds = {
    hit: { headers: {}, expects: { status: 200, body: PICTURE } },
    part: { headers: { range: `bytes=${FIRST}-${LAST}` }, expects: { status: 206, body: part } },
    'not-modified': { headers: { 'if-none-match': etag }, expects: { status: 304, body: '' } },
  }
  const figures: Figure[] = []
  for (const [name, kind] of Object.entries(kinds)) {
    const ours = { url: urls.ours, ...kind }
    const silent = { url: urls.silent, ...kind }
    const turns = await race({ ours, silent, match: { url: urls.match, ...kind } }, HITS)
    figures.push(...toFigures(`media.${name}`, turns))
  }
  return figures
}

function toFigures(
  name: string,
  { ours, silent, match }: Record<'ours' | 'silent' | 'match', Turn[]>,
): Figure[] {
  return [
    { name, value: toRatio(ours, match), unit: 'x', goal: { op: '>=', value: 0.9 } },
    { name: `${name}.rate`, value: median(ours.map(({ rate }) => rate)), unit: '/s' },
    { name: `${name}.unlogged`, value: toRatio(silent, match), unit: 'x' },
  ]
}

async function measureMisses(): Promise<Figure> {
  let misses = 0
  const contender = async (name: string) => {
    const nextPath = () => `/cmp-media/articles/${name}/miss-${misses++}.jpg`
    return { url: await toUrl(name), nextPath, expects: { status: 200, body: PICTURE } }
  }
  const turns = await race(
    { ours: await contender('reader'), signed: await contender('signed') },
    MISSES,
  )
  const value = toRatio(turns.signed, turns.ours)
  return { name: 'media.miss.time', value, unit: 'x', goal: { op: '<=', value: 1.2 } }
}

async function measureOwn(): Promise<Figure[]> {
  const { microseconds, matches } = await measureOwnCost()
  return [
    { name: 'media.hit.own-cpu', value: microseconds, unit: 'us' },
    { name: 'media.hit.edge-matches', value: matches, unit: '' },
  ]
}

function measureBundle(): Figure {
  const value = gzipSync(script, { level: 9 }).length / 1024
  return { name: 'media.bundle', value, unit: 'KiB', goal: { op: '<=', value: 12 } }
}

async function toUrl(worker: string): Promise<string> {
  return new URL(PATH, await miniflare.unsafeGetDirectURL(worker)).href
}

/** Lets the workers fill their entries by a miss, and puts what they then answer where the bare one looks. */
async function fill({ ours, silent, match }: Record<'ours' | 'silent' | 'match', string>) {
  for (const url of [ours, silent]) await fetch(url).then((reply) => reply.arrayBuffer())
  await sleep(500)
  const { headers } = await fetch(ours, { method: 'HEAD' })
  const caches = await miniflare.getCaches()
  await caches.default.put(match, new Response(PICTURE, { headers: [...headers] }))
  await sleep(500)
  return headers.get('etag') ?? ''
}
