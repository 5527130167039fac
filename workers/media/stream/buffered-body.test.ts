import { expect, test } from 'vitest'
import { toBody } from '../tests/faults.ts'
import { BufferedBody, MemoryBudget } from './buffered-body.ts'

const createBody = (size: number) => new BufferedBody({ start: 10, end: 9 + size }, () => {})

/** Copies the bytes from `start` to `end`; returns them as text, and the position after the last byte written. */
async function readCopy(bytes: BufferedBody, start: number, end: number, ms = 1000) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const text = new Response(readable).text()
  const next = await bytes.writeTo(writable, { start, end }, ms)
  await writable.close()
  return { text: await text, next }
}

test('copies bytes for any number of requests while they arrive', async () => {
  const bytes = createBody(6)
  const whole = readCopy(bytes, 10, 15)
  const part = readCopy(bytes, 11, 13)
  await bytes.receive(toBody(['one', 'two']), 1000)
  expect(await whole).toEqual({ text: 'onetwo', next: 16 })
  expect(await part).toEqual({ text: 'net', next: 14 })
})

test('copies nothing after its release', async () => {
  const bytes = createBody(3)
  const waiting = readCopy(bytes, 10, 12)
  bytes.release()
  expect(await waiting).toEqual({ text: '', next: 10 })
})

test('stops waiting when no byte arrives in time, as after a cancelled load', async () => {
  expect(await readCopy(createBody(3), 10, 12, 10)).toEqual({ text: '', next: 10 })
})

test('rejects a copy with the error of the release', async () => {
  const bytes = createBody(3)
  const waiting = readCopy(bytes, 10, 12)
  bytes.release(new Error('the store broke off'))
  await expect(waiting).rejects.toThrow('the store broke off')
})

test('rejects a body that is too long', async () => {
  const bytes = createBody(3)
  await expect(bytes.receive(toBody(['one', 'more']), 1000)).rejects.toThrow(RangeError)
})

const partOf = (count: number) => ({ start: 0, end: count - 1 })

test('allocates memory up to the budget, and more after a release', async () => {
  const budget = new MemoryBudget(10, Date.now)
  const first = await budget.allocate(partOf(8), 0)
  expect(await budget.allocate(partOf(4), 0)).toBeUndefined()
  const waiting = budget.allocate(partOf(4), 1000)
  first?.release()
  expect(await waiting).toBeDefined()
  expect(await budget.allocate(partOf(7), 0)).toBeUndefined()
})

test('allocates nothing larger than the budget', async () => {
  expect(await new MemoryBudget(10, Date.now).allocate(partOf(11), 20)).toBeUndefined()
})

test('frees the memory of a cancelled request after a minute', async () => {
  const clock = { now: 0 }
  const budget = new MemoryBudget(10, () => clock.now)
  await budget.allocate(partOf(10), 0)
  clock.now += 60_001
  expect(await budget.allocate(partOf(10), 0)).toBeDefined()
})
