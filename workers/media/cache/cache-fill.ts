import { type Body, type Found, type Head, type Read, toLength } from '../store/object.ts'
import { type Poured, pour } from '../stream/pipe-to-both.ts'
import type { Edge } from './edge.ts'

/** How an object from the store gets into the edge cache, if at all. */
export type Fill = 'share' | 'write' | 'fetch' | 'none'
/** A stream, as FixedLengthStream of the platform where its length is promised. */
export type Pipe = { readable: ReadableStream<Uint8Array>; writable: WritableStream<Uint8Array> }
export type FillOptions = {
  edge: Edge
  readWhole: (key: string) => Promise<Read>
  createPipe: (length: number | undefined) => Pipe
  chunkMs: number
  now: () => number
}
type Filled = { fill: Fill; body: Body; work: Promise<unknown> }
type Place = { key: string; cacheUrl: string }
type Copy = { writable: WritableStream<Uint8Array>; written: Promise<void>; isHeld: boolean }

// https://developers.cloudflare.com/workers/platform/limits/#cache-api-limits: 512 MB an entry.
const CACHE_LIMIT = 512_000_000

// What the platform's 30 seconds after the last reader has left are surely enough for.
const BEHIND_LIMIT = 64 * 1024 * 1024
const BEHIND_MS = 30_000

/** What may lie in memory for each reader: small objects are cached only once they are whole. */
export const HELD_LIMIT = 1024 * 1024
const SETTLE_MS = 300

/** Larger objects than the cache takes, or than can be fetched behind a reader's back, pass through. */
export function decideFill(head: Pick<Head, 'size' | 'part'>, isRead: boolean): Fill {
  const { size = Number.POSITIVE_INFINITY } = head
  const isWhole = toLength(head) === head.size
  if (isWhole && isRead) return size <= CACHE_LIMIT ? 'share' : 'none'
  if (size > BEHIND_LIMIT) return 'none'
  return isWhole ? 'write' : 'fetch'
}

export type Filler = (place: Place, found: Found, isRead: boolean) => Filled

/** Fills the edge cache from what the store gave: once at a time for each object in this isolate. */
export function createFiller({ edge, readWhole, createPipe, chunkMs, now }: FillOptions): Filler {
  const busy = new Map<string, number>()

  const carry = (url: string, found: Found, fill: Fill, isRead: boolean) => {
    const { size } = found
    const reader = isRead ? createPipe(toLength(found)) : undefined
    const copy = fill === 'share' || fill === 'write' ? createCopy(url, found, size) : undefined
    const poured = pour(found.body, {
      begun: found.begun ?? [],
      reader: reader?.writable,
      copy: copy?.writable,
      outlives: !isRead || Number(size) <= BEHIND_LIMIT,
      holds: Boolean(copy?.isHeld),
      chunkMs,
      onBreak: () => copy && edge.distrust(url),
    })
    const work = copy ? settle(url, poured, copy.written) : poured
    return { body: reader?.readable ?? null, work }
  }

  const createCopy = (url: string, found: Found, size = 0): Copy => {
    if (size <= HELD_LIMIT) return hold(size, (whole) => edge.write(url, found, whole, size))
    const { readable, writable } = createPipe(size)
    return { writable, written: edge.write(url, found, readable, size), isHeld: false }
  }

  // Miniflare keeps what broke off: nobody reads it, and once that has settled, the entry goes.
  const settle = async (url: string, poured: Promise<Poured>, written: Promise<void>) => {
    const [source, cache] = await Promise.allSettled([poured, written])
    const isWhole = source.status === 'fulfilled' && source.value === 'whole'
    if (!isWhole || cache.status === 'rejected') {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
      await edge.remove(url)
    }
    edge.trust(url)
    // When the source broke off, that is the cause; and that a reader has left is no fault.
    if (source.status === 'rejected') throw source.reason
    if (isWhole) await written
  }

  const fetchWhole = async ({ key, cacheUrl }: Place) => {
    const read = await readWhole(key)
    if (read.type === 'failed') throw new Error(read.reason)
    if (read.type === 'found') {
      await carry(cacheUrl, read, decideFill(read, false), false).work
    }
  }

  return (place, found, isRead) => {
    const url = place.cacheUrl
    const started = busy.get(url) ?? Number.NEGATIVE_INFINITY
    const fill = now() - started < BEHIND_MS ? 'none' : decideFill(found, isRead)
    const { body, work } = carry(url, found, fill, isRead)
    if (fill === 'none') return { fill, body, work }
    busy.set(url, now())
    const all = Promise.all([work, fill === 'fetch' && fetchWhole(place)])
    return { fill, body, work: all.finally(() => busy.delete(url)) }
  }
}

// The reader goes first: until the body has ended, the cache costs it nothing.
function hold(size: number, write: (whole: Blob) => Promise<void>): Copy {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const writable = new WritableStream<Uint8Array<ArrayBuffer>>({
    write: (chunk) => void chunks.push(chunk),
    close() {
      const whole = new Blob(chunks)
      if (whole.size === size) resolve(write(whole))
      else reject(new Error(`${whole.size} bytes came of ${size}`))
    },
    abort: reject,
  })
  return { writable, written: promise, isHeld: true }
}
