import { expect, test } from 'vitest'
import { toBody } from '../tests/faults.ts'
import { BufferedBody } from './buffered-body.ts'

const create = (size: number) => new BufferedBody({ start: 10, end: 9 + size }, () => {})

/** Copies from `start` to `end`, and resolves to the text and the position after it. */
async function read(bytes: BufferedBody, start: number, end: number, ms = 1000) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const text = new Response(readable).text()
  const next = await bytes.writeTo(writable, { start, end }, ms)
  await writable.close()
  return { text: await text, next }
}

test('copies bytes for any number of requests while they arrive', async () => {
  const bytes = create(6)
  const whole = read(bytes, 10, 15)
  const part = read(bytes, 11, 13)
  await bytes.receive(toBody(['one', 'two']), 1000)
  expect(await whole).toEqual({ text: 'onetwo', next: 16 })
  expect(await part).toEqual({ text: 'net', next: 14 })
})

test('copies nothing after its release', async () => {
  const bytes = create(3)
  const waiting = read(bytes, 10, 12)
  bytes.release()
  expect(await waiting).toEqual({ text: '', next: 10 })
})

test('does not wait for a request that has died', async () => {
  expect(await read(create(3), 10, 12, 10)).toEqual({ text: '', next: 10 })
})

test('rejects a copy with the error of the release', async () => {
  const bytes = create(3)
  const waiting = read(bytes, 10, 12)
  bytes.release(new Error('the store broke off'))
  await expect(waiting).rejects.toThrow('the store broke off')
})

test('rejects a body that is too long', async () => {
  const bytes = create(3)
  await expect(bytes.receive(toBody(['one', 'more']), 1000)).rejects.toThrow(RangeError)
})
