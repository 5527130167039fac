import { expect, test } from 'vitest'
import { createCoalescer } from './coalesce.ts'

function createTestCoalescer() {
  const calls: { key: string; settle: (value: string) => void; fail: (error: Error) => void }[] = []
  const send = (key: string) =>
    new Promise<string>((resolve, reject) => calls.push({ key, settle: resolve, fail: reject }))
  return { calls, request: createCoalescer(send) }
}

test('callers that arrive while a call is in flight share the next one', async () => {
  const { calls, request } = createTestCoalescer()
  const first = request('a')
  const later = [request('a'), request('a'), request('a')]
  expect(calls).toHaveLength(1)
  calls[0]?.settle('old')
  expect(await first).toBe('old')
  await expect.poll(() => calls.length).toBe(2)
  const last = request('a')
  calls[1]?.settle('new')
  expect(await Promise.all(later)).toEqual(['new', 'new', 'new'])
  await expect.poll(() => calls.length).toBe(3)
  calls[2]?.settle('newest')
  expect(await last).toBe('newest')
})

test('keys do not wait for each other', () => {
  const { calls, request } = createTestCoalescer()
  void request('a')
  void request('b')
  expect(calls.map((call) => call.key)).toEqual(['a', 'b'])
})

test('a failed call rejects for its own callers only', async () => {
  const { calls, request } = createTestCoalescer()
  const first = request('a')
  const second = request('a')
  calls[0]?.fail(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  await expect.poll(() => calls.length).toBe(2)
  calls[1]?.settle('back')
  expect(await second).toBe('back')
})
