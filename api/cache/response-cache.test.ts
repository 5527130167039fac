import { expect, test } from 'vitest'
import { createResponseCache, encode, toCachedResponse } from './response-cache.ts'

const answerOf = (text: string) => toCachedResponse([text])
const KIB = 1024

test('callers at the same time share one load', async () => {
  const cache = createResponseCache(64 * KIB)
  let loads = 0
  const load = async () => {
    loads += 1
    return answerOf('x')
  }
  const all = await Promise.all([cache.get('a', load), cache.get('a', load), cache.get('a', load)])
  expect(loads).toBe(1)
  expect(all.map(({ response }) => response.etag)).toEqual(Array(3).fill(all[0]?.response.etag))
  expect((await cache.get('a', load)).hit).toBe(true)
})

test('a load that fails is told to all who wait for it, and is not kept', async () => {
  const cache = createResponseCache(64 * KIB)
  const fail = () => Promise.reject(new Error('no'))
  await Promise.all(
    [cache.get('a', fail), cache.get('a', fail)].map((each) => expect(each).rejects.toThrow('no')),
  )
  const { hit } = await cache.get('a', () => answerOf('x'))
  expect(hit).toBe(false)
})

test('answers take no more than their share of memory', async () => {
  const cache = createResponseCache(64 * KIB)
  for (let i = 0; i < 100; i++) await cache.get(`${i}`, () => answerOf('x'.repeat(4 * KIB)))
  const hits = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => (await cache.get(`${i}`, () => answerOf('y'))).hit),
  )
  const kept = hits.filter(Boolean).length
  expect(kept).toBeGreaterThan(8)
  expect(kept * 4 * KIB).toBeLessThanOrEqual(64 * KIB)
})

test('an answer that would push out all others is given, but not kept', async () => {
  const cache = createResponseCache(64 * KIB)
  const load = () => answerOf('x'.repeat(32 * KIB))
  expect((await cache.get('a', load)).response.length).toBe(32 * KIB)
  expect((await cache.get('a', load)).hit).toBe(false)
})

test('an answer in pieces has the tag of the whole', async () => {
  async function* pieces() {
    yield '{"a":'
    yield '"é"}'
  }
  const whole = await answerOf('{"a":"é"}')
  const inPieces = await toCachedResponse(pieces())
  expect([inPieces.etag, inPieces.length]).toEqual([whole.etag, whole.length])
  expect((await encode(inPieces, 'gzip')).etag).toBe(whole.etag)
})
