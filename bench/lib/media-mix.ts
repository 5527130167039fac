import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Figure } from './report.ts'

const MIB = 1024 * 1024
const SLICE_BYTES = 2 * MIB
const VIDEO_BYTES = 80 * MIB
const REQUESTS = 20_000
const CONNECTIONS = 16
const SEEK_BYTES = 5 * MIB
const DEMO_MEDIA = join(import.meta.dirname, '../../demo/media')

/** Objects of a mix are stored and requested under this prefix. */
const MIX_PREFIX = 'mix/'

interface MixObject {
  key: string
  size: number
}
export interface MixDeps {
  putGenerated(key: string, size: number, contentType: string): void
  toUrl(path: string): Promise<string>
  /** Keys of all store reads so far. */
  storeReads: readonly string[]
}

/**
 * Counts hits and store reads of one data centre for a mix of requests: objects of the sizes of the demo's
 * media, a document of 5 MiB and a video of 80 MiB, whose popularity is distributed by Zipf's law (exponent
 * 1). A request for the video seeks to a random position.
 */
export async function measureMix({ putGenerated, toUrl, storeReads }: MixDeps): Promise<Figure[]> {
  const random = createRandom(1)
  const objects = await listObjects(random)
  for (const { key, size } of objects) putGenerated(key, size, 'image/jpeg')
  const requests = drawRequests(objects, random)
  const readsBefore = storeReads.length
  const slices = new Set<number>()
  let hits = 0
  const useConnection = async () => {
    for (let next = requests.pop(); next; next = requests.pop()) {
      const { key, size } = next
      const isVideo = size === VIDEO_BYTES
      const start = isVideo ? Math.floor(random() * (size - SEEK_BYTES)) : 0
      const end = isVideo ? start + SEEK_BYTES - 1 : size - 1
      if (isVideo) for (let at = toSlice(start); at <= toSlice(end); at++) slices.add(at)
      const headers = new Headers(isVideo ? { range: `bytes=${start}-${end}` } : undefined)
      const response = await fetch(await toUrl(`/cmp-media/${key}`), { headers })
      const { byteLength } = await response.arrayBuffer()
      const expected = end - start + 1
      if (byteLength !== expected)
        throw new Error(`${key} responded with ${byteLength} bytes instead of ${expected}`)
      if (response.headers.get('cache-status')?.includes('; hit')) hits++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, useConnection))
  const reads = storeReads.slice(readsBefore)
  // The mean number of reads of an object, over the objects that were read.
  const readsPerObject = (isInClass: (size: number) => boolean) => {
    const keys = new Set(objects.filter(({ size }) => isInClass(size)).map(({ key }) => key))
    const read = reads.filter((key) => keys.has(key))
    return read.length / new Set(read).size
  }
  const videoReads = readsPerObject((size) => size === VIDEO_BYTES)
  return [
    { name: 'media.mix.hits', value: (100 * hits) / REQUESTS, unit: '%' },
    { name: 'media.mix.reads-per-miss', value: reads.length / (REQUESTS - hits), unit: '' },
    {
      name: 'media.mix.reads.to-2-mib',
      value: readsPerObject((size) => size <= SLICE_BYTES),
      unit: '',
    },
    { name: 'media.mix.reads.5-mib', value: readsPerObject((size) => size === 5 * MIB), unit: '' },
    { name: 'media.mix.reads-per-slice', value: videoReads / slices.size, unit: '' },
  ]
}

/** Lists the objects in a random order of popularity. */
async function listObjects(random: () => number): Promise<MixObject[]> {
  const files = await readdir(DEMO_MEDIA, { recursive: true, withFileTypes: true })
  const media = files.filter((file) => file.isFile())
  const sizes = await Promise.all(
    media.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  const objects = [...sizes, 5 * MIB, VIDEO_BYTES].map((size, index) => ({
    key: `${MIX_PREFIX}${index}`,
    size,
    rank: random(),
  }))
  return objects.toSorted((one, other) => one.rank - other.rank)
}

/** Draws requests by Zipf's law: an object's share is proportional to 1 / rank. */
function drawRequests(objects: readonly MixObject[], random: () => number): MixObject[] {
  let sum = 0
  const cumulative = objects.map((_, index) => {
    sum += 1 / (index + 1)
    return sum
  })
  return Array.from({ length: REQUESTS }, () => {
    const drawn = random() * sum
    const index = cumulative.findIndex((limit) => limit > drawn)
    return objects[index] ?? { key: '', size: 0 }
  })
}

function toSlice(position: number): number {
  return Math.floor(position / SLICE_BYTES)
}

/**
 * Creates a generator of pseudo-random numbers from 0 to 1 (mulberry32), so that each run draws the same mix.
 */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
