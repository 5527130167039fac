import { expect, test } from 'vitest'
import { compress, toCachedResponse } from './cache/response-cache.ts'
import { fitsPayload } from './payload.ts'

const LIMIT = 6_291_556
// `fitsPayload` keeps a part of the limit for status and headers, which is smaller than this.
const MARGIN = 32 * 1024

const toBody = (unit: string, bytes: number) =>
  JSON.stringify({ text: unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit))) })

/** Returns the length of the JSON that Lambda's runtime sends for an uncompressed body. */
const toPayloadLength = (body: string) => Buffer.byteLength(JSON.stringify({ body }))

test.each([
  ['letters', 'a'],
  ['letters of three bytes', '日'],
  ['quotes', '"'],
  ['backslashes', '\\'],
  ['line ends', '\n'],
  ['control characters', '\u0001'],
])('a body of %s fits 32 KiB below the limit, and not above the limit', async (_, unit) => {
  const bytesPerByte = toPayloadLength(toBody(unit, 3_000_000)) / 3_000_000
  const largest = toBody(unit, Math.floor((LIMIT - MARGIN) / bytesPerByte))
  const tooLarge = toBody(unit, Math.ceil(LIMIT / bytesPerByte) + 1000)
  expect(toPayloadLength(largest)).toBeLessThanOrEqual(LIMIT)
  expect(toPayloadLength(tooLarge)).toBeGreaterThan(LIMIT)
  expect(fitsPayload(await toCachedResponse([largest]))).toBe(true)
  expect(fitsPayload(await toCachedResponse([tooLarge]))).toBe(false)
})

test('a compressed body counts with its length in base64', async () => {
  const compressed = await compress(await toCachedResponse([toBody('a', LIMIT)]), 'gzip')
  expect(fitsPayload(compressed)).toBe(true)
  expect(fitsPayload({ ...compressed, length: Math.floor((LIMIT - MARGIN) * 0.75) })).toBe(true)
  expect(fitsPayload({ ...compressed, length: Math.ceil(LIMIT * 0.75) })).toBe(false)
})
