import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createDouble } from './stores.ts'
import { measureMemory } from './usage.ts'
import { createWorkerd } from './workerd.ts'

const KIB = 1024
const MIB = 1024 * KIB
const CLIENTS = 200
// One isolate buffers 32 MiB; the rest is for the heap and the streams of 200 clients. Without the
// limit of 32 MiB, memory grows by 230 to 300 MiB.
const MAX_GROWTH = 96 * MIB
// Less than the 5 s for which a load waits for memory.
const SETTLE_MS = 3000

const linux = test.skipIf(process.platform !== 'linux')

linux.each([
  [
    'uncached objects of 1 MiB',
    (client: number) => ({ key: `${client}.mp4`, start: 0, end: MIB - 1 }),
  ],
  [
    'ranges of an uncached object',
    (client: number) => ({
      key: 'sliced.mp4',
      start: client * 2 * MIB,
      end: client * 2 * MIB + 99_999,
    }),
  ],
])(
  'memory grows by less than 96 MiB while 200 clients wait for %s from a slow store',
  async (_, toPart) => {
    const { open, setGate, stop } = await createGatedWorkerd()
    try {
      // Connections and compiled code take memory once.
      await Promise.all(
        mapClients((client) => open(`small-${client}.mp4`, 0, KIB - 1).then(readAll)),
      )
      const gate = Promise.withResolvers<void>()
      setGate(gate.promise)
      const before = await measureMemory()
      const replies = mapClients(toPart).map(({ key, start, end }) => open(key, start, end))
      await sleep(SETTLE_MS)
      const growth = (await measureMemory()) - before
      gate.resolve()
      const lengths = await Promise.all(replies.map((reply) => reply.then(readAll)))
      console.log(`memory of workerd grew by ${(growth / MIB).toFixed(0)} MiB`)
      expect(lengths).toEqual(mapClients(toPart).map(({ start, end }) => end - start + 1))
      expect(growth).toBeLessThan(MAX_GROWTH)
    } finally {
      await stop()
    }
  },
  60_000,
)

/** Starts a worker whose store sends the last chunk of each body only after the gate is resolved. */
async function createGatedWorkerd() {
  const double = createDouble()
  for (const client of mapClients((client) => client)) {
    double.putGenerated(`${client}.mp4`, MIB, 'video/mp4')
    double.putGenerated(`small-${client}.mp4`, KIB, 'video/mp4')
  }
  double.putGenerated('sliced.mp4', CLIENTS * 2 * MIB, 'video/mp4')
  let gate = Promise.resolve()
  const harness = await createWorkerd({
    ...double,
    async handle(request) {
      const response = await double.handle(request)
      const body = response.body && ReadableStream.from(holdLastChunk(response.body, gate))
      return new Response(body, response)
    },
  })
  return {
    stop: harness.stop,
    setGate(next: Promise<void>) {
      gate = next
    },
    open(key: string, start: number, end: number): Promise<IncomingMessage> {
      const url = harness.toUrl('reader', `/cmp-media/${key}`)
      const headers = { range: `bytes=${start}-${end}` }
      return new Promise((resolve, reject) => {
        get(url, { agent: false, headers }, resolve).on('error', reject)
      })
    },
  }
}

async function* holdLastChunk(
  body: ReadableStream<Uint8Array>,
  gate: Promise<void>,
): AsyncGenerator<Uint8Array> {
  let last: Uint8Array | undefined
  for await (const chunk of body) {
    if (last) yield last
    last = chunk
  }
  await gate
  if (last) yield last
}

function mapClients<T>(create: (client: number) => T): T[] {
  return Array.from({ length: CLIENTS }, (_, client) => create(client))
}

async function readAll(reply: IncomingMessage): Promise<number> {
  let size = 0
  for await (const chunk of reply) size += chunk.length
  return size
}
