import { expect, test } from 'vitest'
import { runHistory } from './run-history.ts'

/** `npm run bench -- histories` runs 10,000 of them. */
const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1)

test.each(SEEDS)(
  'no page outlives its purge, and everything converges, in history %i',
  {
    timeout: 60_000,
  },
  async (seed) => {
    const { violations, visits } = await runHistory(seed)
    expect(violations).toEqual([])
    expect(visits).toBeGreaterThan(50)
  },
)
