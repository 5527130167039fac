import { expect, test } from 'vitest'
import { toBody } from '../tests/faults.ts'
import { pour } from './pipe-to-both.ts'

test('holds no more memory than what came', async () => {
  const chunks: Uint8Array[] = []
  const copy = new WritableStream<Uint8Array>({ write: (chunk) => void chunks.push(chunk) })
  const body = toBody(['one', 'two', 'three'])
  const ended = await pour(body, { ...TERMS, reader: undefined, copy, holds: true })
  expect(ended).toBe('whole')
  expect(chunks.map((chunk) => new TextDecoder().decode(chunk))).toEqual(['one', 'two', 'three'])
  expect(chunks.map(({ buffer }) => buffer.byteLength)).toEqual([3, 3, 5])
})

test('ends the source, without a fault, when its last reader leaves', async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  let cancelled = false
  const body = toBody(Array(100).fill('more'), () => {
    cancelled = true
  })
  const poured = pour(body, { ...TERMS, reader: writable, copy: undefined, holds: false })
  await readable.cancel()
  expect(await poured).toBe('left')
  expect(cancelled).toBe(true)
})

test('breaks the outputs off with what the source threw', async () => {
  const reasons: unknown[] = []
  const copy = new WritableStream<Uint8Array>({ abort: (reason) => void reasons.push(reason) })
  const cause = new Error('the connection broke')
  const body = new ReadableStream({ type: 'bytes', pull: () => Promise.reject(cause) })
  const onBreak = () => void reasons.push('told before')
  const poured = pour(body, { ...TERMS, reader: undefined, copy, holds: false, onBreak })
  await expect(poured).rejects.toBe(cause)
  expect(reasons).toEqual(['told before', cause])
})

const TERMS = { begun: [], outlives: true, chunkMs: 1000, onBreak: () => {} }
