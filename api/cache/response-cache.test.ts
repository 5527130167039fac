import { expect, test } from 'vitest'
import { compress, createResponseCache, toCachedResponse } from './response-cache.ts'

const responseOf = (text: string) => toCachedResponse([text])
const KIB = 1024

test('concurrent callers share one load', async () => {
  const cache = createResponseCache(64 * KIB)
  let loads = 0
  const load = async () => {
    loads += 1
    return responseOf('x')
  }
  const all = await Promise.all([cache.get('a', load), cache.get('a', load), cache.get('a', load)])
  expect(loads).toBe(1)
  expect(all.map(({ response }) => response.etag)).toEqual(Array(3).fill(all[0]?.response.etag))
  expect((await cache.get('a', load)).hit).toBe(true)
})

test('a failed load rejects for every waiting caller and is not cached', async () => {
  const cache = createResponseCache(64 * KIB)
  const fail = () => Promise.reject(new Error('no'))
  await Promise.all(
    [cache.get('a', fail), cache.get('a', fail)].map((each) => expect(each).rejects.toThrow('no')),
  )
  const { hit } = await cache.get('a', () => responseOf('x'))
  expect(hit).toBe(false)
})

test('responses use at most the given number of bytes', async () => {
  const cache = createResponseCache(64 * KIB)
  for (let i = 0; i < 100; i++) await cache.get(`${i}`, () => responseOf('x'.repeat(4 * KIB)))
  const hits = await Promise.all(
    Array.from(
      { length: 100 },
      async (_, i) => (await cache.get(`${i}`, () => responseOf('y'))).hit,
    ),
  )
  const cachedCount = hits.filter(Boolean).length
  expect(cachedCount).toBeGreaterThan(8)
  expect(cachedCount * 4 * KIB).toBeLessThanOrEqual(64 * KIB)
})

test('a response larger than a quarter of the cache is returned but not cached', async () => {
  const cache = createResponseCache(64 * KIB)
  const load = () => responseOf('x'.repeat(32 * KIB))
  expect((await cache.get('a', load)).response.length).toBe(32 * KIB)
  expect((await cache.get('a', load)).hit).toBe(false)
})

test('a response in chunks has the same tag as one in a single chunk', async () => {
  async function* pieces() {
    yield '{"a":'
    yield '"é"}'
  }
  const whole = await responseOf('{"a":"é"}')
  const inPieces = await toCachedResponse(pieces())
  expect([inPieces.etag, inPieces.length]).toEqual([whole.etag, whole.length])
  expect((await compress(inPieces, 'gzip')).etag).toBe(whole.etag)
})
