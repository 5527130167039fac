import { expect, test } from 'vitest'
import { MemoryBudget } from './memory-budget.ts'

test('grants what fits, and the rest when it is given back', async () => {
  const budget = new MemoryBudget(10, Date.now)
  const release = await budget.reserve(8, 0)
  expect(await budget.reserve(4, 0)).toBeUndefined()
  const waiting = budget.reserve(4, 1000)
  release?.()
  expect(await waiting).toBeDefined()
  expect(await budget.reserve(7, 0)).toBeUndefined()
})

test('grants nothing that is larger than all of it', async () => {
  expect(await new MemoryBudget(10, Date.now).reserve(11, 20)).toBeUndefined()
})

test('takes back after a minute what a dead request holds', async () => {
  const clock = { now: 0 }
  const budget = new MemoryBudget(10, () => clock.now)
  await budget.reserve(10, 0)
  clock.now += 60_001
  expect(await budget.reserve(10, 0)).toBeDefined()
})
