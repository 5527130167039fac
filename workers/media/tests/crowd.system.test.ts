import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generatedBytes } from './s3.ts'
import { createDouble } from './stores.ts'
import { createWorkerd } from './workerd.ts'

const CLIENTS = 200
// Delay of each response of the store.
const STORE_MS = 80
// One workerd and one Node process transfer gibibytes.
const TIMEOUT_MS = 240_000
const KIB = 1024
const MIB = 1024 * KIB
const SLICE = 2 * MIB

interface Reply {
  status: number
  cacheStatus: string
  body: Buffer
}

const objects = { '5-mib.mp4': 5 * MIB, '1-kib.mp4': KIB, 'sliced.mp4': 64 * MIB }
const double = createDouble()
const storeReads: string[] = []
const store = {
  ...double,
  async handle(incoming: Request): Promise<Response> {
    storeReads.push(incoming.headers.get('range') ?? 'whole')
    await sleep(STORE_MS)
    return double.handle(incoming)
  },
}
let harness: Awaited<ReturnType<typeof createWorkerd>>
beforeAll(async () => {
  for (const [key, size] of Object.entries(objects)) double.putGenerated(key, size, 'video/mp4')
  harness = await createWorkerd(store)
})
afterAll(() => harness.stop())

test.each([
  // The first read requests only 2 MiB, and so returns the size of the object.
  ['an object of 5 MiB', '5-mib.mp4', 200, 2],
  ['an object of 1 KiB', '1-kib.mp4', 200, 1],
  ['a missing object', 'missing.mp4', 404, 1],
])(
  'serves %s, uncached, to 200 concurrent clients with one load',
  async (_, key, status, reads) => {
    const replies = await requestConcurrently(key)
    expect(replies.map((reply) => reply.status)).toEqual(Array(CLIENTS).fill(status))
    expect(storeReads.length).toBe(reads)
    if (status === 200) {
      const size = objects[key as keyof typeof objects]
      for (const { body } of replies) expect(body.length).toBe(size)
      expect(replies.at(-1)?.body.subarray(-1000)).toEqual(
        joinGeneratedBytes(size - 1000, size - 1),
      )
    }
    const stored = replies.filter(({ cacheStatus }) => cacheStatus.endsWith('; stored'))
    expect(stored.length).toBe(1)
    expect(replies.some(({ cacheStatus }) => cacheStatus.endsWith('; collapsed'))).toBe(true)
  },
  TIMEOUT_MS,
)

test(
  'reads each slice at most twice for 200 different ranges of an uncached object',
  async () => {
    const ranges = Array.from({ length: CLIENTS }, (_, client) => {
      const start = Math.floor((client * 64 * MIB) / CLIENTS)
      return { start, end: Math.min(start + 300_000 + client, 64 * MIB - 1) }
    })
    const replies = await requestConcurrently('sliced.mp4', ranges)
    for (const [client, { start, end }] of ranges.entries()) {
      const reply = replies[client]
      expect(reply?.status).toBe(206)
      expect(reply?.body.equals(joinGeneratedBytes(start, end)), `${start}-${end}`).toBe(true)
    }
    const readsBySlice = Map.groupBy(storeReads, (range) => {
      return Math.floor(Number(/^bytes=(\d+)/.exec(range)?.[1]) / SLICE)
    })
    expect(readsBySlice.size).toBe(32)
    for (const [slice, reads] of readsBySlice) expect(reads.length, `${slice}`).toBeLessThan(3)
  },
  TIMEOUT_MS,
)

/** Requests an object for all clients concurrently, each with a different range if there are ranges. */
async function requestConcurrently(
  key: string,
  ranges: { start: number; end: number }[] = [],
): Promise<Reply[]> {
  storeReads.length = 0
  const url = harness.toUrl('reader', `/cmp-media/${key}`)
  return Promise.all(
    Array.from({ length: CLIENTS }, (_, client) => {
      const range = ranges[client]
      return get(url, range ? { range: `bytes=${range.start}-${range.end}` } : {})
    }),
  )
}

function get(url: string, headers: Record<string, string>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    request(url, { agent: false, headers }, async (response) => {
      try {
        const body = Buffer.concat(await response.toArray())
        const cacheStatus = String(response.headers['cache-status'] ?? '')
        resolve({ status: response.statusCode ?? 0, cacheStatus, body })
      } catch (error) {
        reject(error)
      }
    })
      .on('error', reject)
      .end()
  })
}

/** Returns bytes of a generated object, more than the 65,536 of one `generatedBytes()`. */
function joinGeneratedBytes(start: number, end: number): Buffer {
  const parts: Uint8Array[] = []
  for (let from = start; from <= end; from += 65_536) {
    parts.push(generatedBytes(from, Math.min(from + 65_535, end)))
  }
  return Buffer.concat(parts)
}
