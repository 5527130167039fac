import { expect, test } from 'vitest'
import { runHistory } from './run-history.ts'

/** `npm run bench -- histories` runs 10,000 seeds. */
const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1)

test.each(SEEDS)(
  'history %i: no purged version is served, and each page becomes current',
  {
    timeout: 60_000,
  },
  async (seed) => {
    const { violations, visits } = await runHistory(seed)
    expect(violations).toEqual([])
    expect(visits).toBeGreaterThan(50)
  },
)
