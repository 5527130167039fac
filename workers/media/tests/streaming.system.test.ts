import { createHash } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { generatedBytes } from './s3.ts'
import { createDouble } from './stores.ts'
import { measureCpu, measureMemory } from './usage.ts'
import { createWorkerd } from './workerd.ts'

const MIB = 1024 * 1024
const GIB = 1024 * MIB
const SLICE = 2 * MIB
// Maximum length that generatedBytes() returns.
const CHUNK_BYTES = 65_536
const WAIT = { timeout: 10_000 }
// The measured process also contains Miniflare's cache, and garbage.
const MAX_GROWTH = 256 * MIB

let harness: Awaited<ReturnType<typeof createWorkerd>>
beforeAll(async () => {
  const s3 = createDouble()
  s3.putGenerated('huge.mp4', 2 * GIB, 'video/mp4')
  s3.putGenerated('large.mp4', 600 * MIB, 'video/mp4')
  s3.putGenerated('abandoned.mp4', 200 * MIB, 'video/mp4')
  s3.putGenerated('small.mp4', 6 * MIB, 'video/mp4')
  harness = await createWorkerd(s3)
})
afterAll(() => harness.stop())

const linux = test.skipIf(process.platform !== 'linux')

linux.each([
  ['600 MiB', 'large.mp4', 600 * MIB],
  ['2 GiB', 'huge.mp4', 2 * GIB],
])(
  'streams %s into the cache and from it, byte for byte, in constant memory',
  async (name, key, size) => {
    const expected = hashGenerated(size)
    for (const from of ['the store', 'the cache']) {
      const readsBefore = harness.countStoreReads()
      const cpuBefore = await measureCpu()
      const { digest, growth } = await measureGrowth(open(key).then(hashAll))
      const seconds = (((await measureCpu()) - cpuBefore) * GIB) / size
      console.log(
        `${name} from ${from}: ${seconds.toFixed(2)} s of CPU per GiB, Miniflare's cache included; memory grew by ${(growth / MIB).toFixed(0)} MiB`,
      )
      expect(digest).toBe(expected)
      expect(growth).toBeLessThan(MAX_GROWTH)
      const reads = harness.countStoreReads() - readsBefore
      expect(reads).toBe(from === 'the store' ? size / SLICE : 0)
    }
  },
  180_000,
)

test('stops reading the store when the client disconnects; slices that were read stay cached', async () => {
  const readsBefore = harness.countStoreReads()
  const body = await open('abandoned.mp4')
  for await (const _ of body) break
  body.destroy()
  await vi.waitUntil(() => harness.server.traffic.open === 0, WAIT)
  await sleep(500)
  expect(harness.countStoreReads() - readsBefore).toBeLessThan(10)
  await open('abandoned.mp4', 'bytes=0-99').then(readAll)
  expect(harness.countStoreReads() - readsBefore).toBeLessThan(10)
})

test('fills the cache with a small object even if the client disconnects', async () => {
  const body = await open('small.mp4')
  body.destroy()
  await vi.waitUntil(() => harness.isCached('reader', '/cmp-media/small.mp4'), WAIT)
  expect(await open('small.mp4').then(readAll)).toBe(6 * MIB)
})

test('serves a range that starts and ends inside a slice', async () => {
  const start = 123 * MIB
  const body = await open('abandoned.mp4', `bytes=${start}-${start + 999}`)
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  expect(Buffer.concat(chunks)).toEqual(Buffer.from(generatedBytes(start, start + 999)))
})

function open(key: string, range?: string): Promise<IncomingMessage> {
  const headers = range ? { range } : {}
  return new Promise((resolve, reject) => {
    const url = harness.toUrl('reader', `/cmp-media/${key}`)
    get(url, { agent: false, headers }, resolve).on('error', reject)
  })
}

async function readAll(body: AsyncIterable<Buffer>): Promise<number> {
  let size = 0
  for await (const chunk of body) size += chunk.length
  return size
}

async function hashAll(body: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of body) hash.update(chunk)
  return hash.digest('hex')
}

function hashGenerated(size: number): string {
  const hash = createHash('sha256')
  for (let start = 0; start < size; start += CHUNK_BYTES) {
    hash.update(generatedBytes(start, start + CHUNK_BYTES - 1))
  }
  return hash.digest('hex')
}

/** Returns the digest of a body, and the growth of workerd's memory in bytes while the body is read. */
async function measureGrowth(
  reading: Promise<string>,
): Promise<{ digest: string; growth: number }> {
  const first = await measureMemory()
  let peak = first
  let isDone = false
  const measuring = (async () => {
    while (!isDone) {
      peak = Math.max(peak, await measureMemory())
      await sleep(50)
    }
  })()
  const digest = await reading.finally(() => {
    isDone = true
  })
  await measuring
  return { digest, growth: peak - first }
}
