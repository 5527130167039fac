import { expect, test } from 'vitest'
import { MemoryBudget } from './memory-budget.ts'

const bytes = (count: number) => ({ start: 0, end: count - 1 })

test('allocates what fits, and the rest after a release', async () => {
  const budget = new MemoryBudget(10, Date.now)
  const first = await budget.allocate(bytes(8), 0)
  expect(await budget.allocate(bytes(4), 0)).toBeUndefined()
  const waiting = budget.allocate(bytes(4), 1000)
  first?.release()
  expect(await waiting).toBeDefined()
  expect(await budget.allocate(bytes(7), 0)).toBeUndefined()
})

test('allocates nothing larger than the budget', async () => {
  expect(await new MemoryBudget(10, Date.now).allocate(bytes(11), 20)).toBeUndefined()
})

test('takes back the memory of a dead request after a minute', async () => {
  const clock = { now: 0 }
  const budget = new MemoryBudget(10, () => clock.now)
  await budget.allocate(bytes(10), 0)
  clock.now += 60_001
  expect(await budget.allocate(bytes(10), 0)).toBeDefined()
})
