import { afterAll, beforeAll, describe, test } from 'vitest'
import { CASES, runCase } from './testing/cases.ts'
import { createS3 } from './testing/s3.ts'
import { RIGHTS, TEST_STORE } from './testing/stores.ts'
import { createWorkerd } from './testing/workerd.ts'

describe('in workerd, over a double of S3', () => {
  let bed: Awaited<ReturnType<typeof createWorkerd>>
  beforeAll(async () => {
    bed = await createWorkerd(createS3({ ...TEST_STORE, credentials: RIGHTS }).handle)
  })
  afterAll(() => bed.stop())

  test.each(CASES)('$name', (row) => runCase(bed, row))
})
