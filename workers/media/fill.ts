import type { Edge } from './edge.ts'
import type { Body, Found, Read } from './object.ts'
import { share } from './share.ts'

/** How an object from the store gets into the edge cache, if at all. */
export type Fill = 'share' | 'write' | 'fetch' | 'none'
/** A stream that promises its length, as FixedLengthStream of the platform. */
export type Pipe = { readable: ReadableStream<Uint8Array>; writable: WritableStream<Uint8Array> }
export type FillOptions = {
  edge: Edge
  readWhole: (key: string) => Promise<Read>
  createPipe: (size: number) => Pipe
  now: () => number
}
export type Filled = { fill: Fill; body: Body; work?: Promise<unknown> | undefined }
type Place = { key: string; cacheUrl: string }
type Fetched = Pick<Found, 'object' | 'part' | 'body'>

// https://developers.cloudflare.com/workers/platform/limits/#cache-api-limits: 512 MB an entry.
export const CACHE_LIMIT = 512_000_000

// What the platform's 30 seconds after the last reader has left are surely enough for.
export const BEHIND_LIMIT = 64 * 1024 * 1024
const BEHIND_MS = 30_000

// What may lie in memory for each reader, so that no reader of a small object waits for the cache.
const TEE_LIMIT = 1024 * 1024
const SETTLE_MS = 300

/** Larger objects than the cache takes, or than can be fetched behind a reader's back, pass through. */
export function decideFill({ object, part }: Fetched, isRead: boolean): Fill {
  const size = object.size ?? Number.POSITIVE_INFINITY
  const isWhole = !part || part.end - part.start + 1 === size
  if (isWhole && isRead) return size <= CACHE_LIMIT ? 'share' : 'none'
  if (size > BEHIND_LIMIT) return 'none'
  return isWhole ? 'write' : 'fetch'
}

export type Filler = (place: Place, fetched: Fetched, isRead: boolean) => Filled

/** Fills the edge cache from what the store gave: once at a time for each object in this isolate. */
export function createFiller({ edge, readWhole, createPipe, now }: FillOptions): Filler {
  const busy = new Map<string, number>()

  // Miniflare keeps what broke off although it refuses it: once that has settled, the entry goes.
  const write = async (
    url: string,
    { object, body }: Fetched,
    pour: (to: Pipe) => Promise<void>,
  ) => {
    if (!body) return edge.write(url, object, body)
    const pipe = createPipe(object.size ?? 0)
    const written = edge.write(url, object, pipe.readable)
    try {
      await Promise.all([pour(pipe), written])
    } catch (error) {
      await written.catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
      await edge.remove(url)
      throw error
    }
  }

  const writeWhole = (url: string, fetched: Fetched) =>
    write(url, fetched, async ({ writable }) => fetched.body?.pipeTo(writable))

  const fetchWhole = async ({ key, cacheUrl }: Place) => {
    const read = await readWhole(key)
    if (read.type !== 'found') return
    const fits = decideFill(read, false) === 'write'
    await (fits ? writeWhole(cacheUrl, read) : read.body?.cancel())
  }

  const act = (fill: Fill, place: Place, fetched: Fetched): Omit<Filled, 'fill'> => {
    const { object, body } = fetched
    const size = object.size ?? 0
    switch (fill) {
      case 'share': {
        if (!body) return { body, work: writeWhole(place.cacheUrl, fetched) }
        if (size <= TEE_LIMIT) {
          const [reader, copy] = body.tee()
          return { body: reader, work: writeWhole(place.cacheUrl, { ...fetched, body: copy }) }
        }
        const reader = createPipe(size)
        const pour = ({ writable }: Pipe) =>
          share(body, reader.writable, writable, size <= BEHIND_LIMIT)
        return { body: reader.readable, work: write(place.cacheUrl, fetched, pour) }
      }
      case 'write':
        return { body: null, work: writeWhole(place.cacheUrl, fetched) }
      case 'fetch':
        return { body, work: fetchWhole(place) }
      case 'none':
        return { body }
      default:
        return fill satisfies never
    }
  }

  return (place, fetched, isRead) => {
    const started = busy.get(place.cacheUrl) ?? Number.NEGATIVE_INFINITY
    const fill = now() - started < BEHIND_MS ? 'none' : decideFill(fetched, isRead)
    if (fill !== 'none') busy.set(place.cacheUrl, now())
    const { body, work } = act(fill, place, fetched)
    return { fill, body, work: work?.finally(() => busy.delete(place.cacheUrl)) }
  }
}
