import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { CASES } from './cases.ts'
import { HOSTILE_PATHS } from './hostile.ts'
import { runCase } from './run-case.ts'
import { createDouble, toTestStore } from './stores.ts'
import { createWorkerd } from './workerd.ts'

type Workerd = Awaited<ReturnType<typeof createWorkerd>>

const double = createDouble()
const LARGE = '0123456789abcdef'.repeat(200_000)

describe.each([
  ['a double of S3', double],
  ["the local cloud's store", toTestStore(inject('store'))],
])('in workerd, with %s', (_, store) => {
  let harness: Workerd
  beforeAll(async () => {
    harness = await createWorkerd(store)
  })
  afterAll(() => harness.stop())

  test.each(CASES)('$name', (testCase) => runCase(harness, testCase))

  test.each(HOSTILE_PATHS)(
    'responds 400 or 404 to the path %s, without a text of the store',
    async (path) => {
      const reply = await harness.send('reader', { path })
      expect([400, 404]).toContain(reply.status)
      expect(reply.body).not.toContain('<')
      expect(reply.headers.get('x-amz-request-id')).toBeNull()
    },
  )
})

describe('in workerd, an object that is stored with gzip', () => {
  let harness: Workerd
  beforeAll(async () => {
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' }
    double.put('small.txt', gzipSync('0123456789'), headers)
    double.put('large.txt', gzipSync(LARGE), headers)
    double.put('torn.txt', gzipSync(randomBytes(9999)).subarray(0, 5000), headers)
    harness = await createWorkerd(double)
  })
  afterAll(() => harness.stop())

  const get = (path: string, headers = {}) =>
    harness.send('reader', { path: `/cmp-media/${path}`, headers })

  test('is decoded and cached, and ranges of it are served, if it is small', async () => {
    const range = { range: 'bytes=2-3' }
    const part = await get('small.txt', range)
    expect(part).toMatchObject({ status: 206, body: '23' })
    expect(part.headers.get('content-range')).toBe('bytes 2-3/10')
    await vi.waitUntil(() => harness.isCached('reader', '/cmp-media/small.txt'))
    expect(await get('small.txt', range)).toMatchObject({ status: 206, body: '23' })
  })

  test('is decoded and streamed, but not cached, if it is large', async () => {
    const { status, body, headers } = await get('large.txt')
    expect([status, body === LARGE]).toEqual([200, true])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('cache-status')).toContain('passed-through')
  })

  test('results in a 502 if it cannot be decoded', async () => {
    const { status, headers } = await get('torn.txt')
    expect([status, headers.get('cache-control')]).toEqual([502, 'no-store'])
  })
})
