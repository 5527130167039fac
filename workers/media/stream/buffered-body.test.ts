import { expect, test } from 'vitest'
import { toBody } from '../tests/faults.ts'
import { BufferedBody } from './buffered-body.ts'

const toMs = () => 1000
const toText = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes)

test('copies bytes for any number of readers while they arrive', async () => {
  const bytes = new BufferedBody(6, () => {})
  const early = bytes.copy(0, 5, 1000)
  await bytes.append(toBody(['one']), toMs)
  expect(toText(await early)).toBe('one')
  expect(toText(await bytes.copy(1, 1, 1000))).toBe('n')
  await bytes.append(toBody(['two']), toMs)
  expect(toText(await bytes.copy(3, 5, 1000))).toBe('two')
})

test('copies nothing after its release', async () => {
  const bytes = new BufferedBody(3, () => {})
  const waiting = bytes.copy(0, 2, 1000)
  bytes.release()
  expect(await waiting).toBeUndefined()
  expect(bytes.loaded.length).toBe(0)
})

test('does not wait for a request that has died', async () => {
  expect(await new BufferedBody(3, () => {}).copy(0, 2, 10)).toBeUndefined()
})

test('passes a failure on to its readers', async () => {
  const bytes = new BufferedBody(3, () => {})
  const waiting = bytes.copy(0, 2, 1000)
  bytes.release(new Error('the store broke off'))
  await expect(waiting).rejects.toThrow('the store broke off')
})

test('rejects a body that is too long', async () => {
  const bytes = new BufferedBody(3, () => {})
  await expect(bytes.append(toBody(['one', 'more']), toMs)).rejects.toThrow('more than 3 bytes')
  expect(bytes.loaded.length).toBe(0)
})
