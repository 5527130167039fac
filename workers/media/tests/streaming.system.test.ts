import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { sparseBytes } from './s3.ts'
import { createDouble } from './stores.ts'
import { measureMemory } from './usage.ts'
import { createWorkerd } from './workerd.ts'

const MIB = 1024 * 1024
const GIB = 1024 * MIB
const WAIT = { timeout: 10_000 }
const NO_LENGTH = { type: 'altered', headers: { 'content-length': null } } as const

let harness: Awaited<ReturnType<typeof createWorkerd>>
beforeAll(async () => {
  const s3 = createDouble()
  s3.putSparse('huge.mp4', GIB, 'video/mp4')
  s3.putSparse('large.mp4', 300 * MIB, 'video/mp4')
  s3.putSparse('left.mp4', 200 * MIB, 'video/mp4')
  s3.putSparse('small.mp4', 20 * MIB, 'video/mp4')
  harness = await createWorkerd(s3)
})
afterAll(() => harness.stop())

const linux = test.skipIf(process.platform !== 'linux')

linux('streams 1 GiB past the cache in flat memory', async () => {
  await open('small.mp4', 'bytes=0-0').then(readAll)
  const { size, growth } = await watch(open('huge.mp4').then(readAll))
  console.log(`1 GiB through workerd: memory grew by ${(growth / MIB).toFixed(1)} MiB`)
  expect(size).toBe(GIB)
  expect(growth).toBeLessThan(64 * MIB)
  expect(await harness.isCached('reader', '/cmp-media/huge.mp4')).toBe(false)
})

linux(
  'streams what comes without a length in flat memory, and stops when its reader leaves',
  async () => {
    harness.setFault(NO_LENGTH)
    onTestFinished(() => harness.setFault(undefined))
    const { size, growth } = await watch(open('huge.mp4').then(readAll))
    console.log(`1 GiB without a length: memory grew by ${(growth / MIB).toFixed(1)} MiB`)
    expect(size).toBe(GIB)
    expect(growth).toBeLessThan(64 * MIB)
    const before = harness.server.state.sent
    const body = await open('left.mp4')
    for await (const _ of body) break
    body.destroy()
    await vi.waitUntil(() => harness.server.state.open === 0, WAIT)
    expect(harness.server.state.sent - before).toBeLessThan(50 * MIB)
  },
)

linux('shares an object with the cache in flat memory, however slow the reader is', async () => {
  const { size, growth } = await watch(open('large.mp4').then((body) => readAll(body, 1)))
  console.log(`300 MiB into the cache: memory grew by ${(growth / MIB).toFixed(1)} MiB`)
  expect(size).toBe(300 * MIB)
  expect(growth).toBeLessThan(64 * MIB)
  const path = '/cmp-media/large.mp4'
  await vi.waitUntil(() => harness.isCached('reader', path), WAIT)
})

test.each(['huge.mp4', 'left.mp4'])('stops reading %s when its reader leaves', async (key) => {
  const before = harness.server.state.sent
  const body = await open(key)
  for await (const _ of body) break
  body.destroy()
  await vi.waitUntil(() => harness.server.state.open === 0, WAIT)
  expect(harness.server.state.sent - before).toBeLessThan(50 * MIB)
  await sleep(1000)
  expect(await harness.isCached('reader', `/cmp-media/${key}`)).toBe(false)
})

test('fills the cache with a small object although its reader leaves', async () => {
  const body = await open('small.mp4')
  body.destroy()
  await vi.waitUntil(() => harness.isCached('reader', '/cmp-media/small.mp4'), WAIT)
  expect(await open('small.mp4').then(readAll)).toBe(20 * MIB)
})

test('cuts parts of what it has, and of what it only passes on', async () => {
  for (const key of ['large.mp4', 'huge.mp4']) {
    const start = 123 * MIB
    const body = await open(key, `bytes=${start}-${start + 999}`)
    const chunks: Buffer[] = []
    for await (const chunk of body) chunks.push(chunk)
    expect(Buffer.concat(chunks)).toEqual(Buffer.from(sparseBytes(start, start + 999)))
  }
})

function open(key: string, range?: string): Promise<IncomingMessage> {
  const headers = range ? { range } : {}
  return new Promise((resolve, reject) => {
    const url = harness.toUrl('reader', `/cmp-media/${key}`)
    get(url, { agent: false, headers }, resolve).on('error', reject)
  })
}

async function readAll(body: AsyncIterable<Buffer>, pauseMs = 0): Promise<number> {
  let [size, chunks] = [0, 0]
  for await (const chunk of body) {
    size += chunk.length
    if (pauseMs > 0 && ++chunks % 4 === 0) await sleep(pauseMs)
  }
  return size
}

/** The growth of workerd's memory in bytes while something is read. */
async function watch(reading: Promise<number>): Promise<{ size: number; growth: number }> {
  const first = await measureMemory()
  let most = first
  let done = false
  const watching = (async () => {
    while (!done) {
      most = Math.max(most, await measureMemory())
      await sleep(50)
    }
  })()
  const size = await reading.finally(() => {
    done = true
  })
  await watching
  return { size, growth: most - first }
}
