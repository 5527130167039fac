import { test } from 'vitest'
import { CASES, runCase } from './testing/cases.ts'
import { createInProcess } from './testing/in-process.ts'

test.each(CASES)('$name', async (row) => {
  await runCase(createInProcess(), row)
})
