import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CASES, runCase } from './testing/cases.ts'
import { HOSTILE_PATHS } from './testing/hostile.ts'
import { createS3 } from './testing/s3.ts'
import { RIGHTS, TEST_STORE } from './testing/stores.ts'
import { createWorkerd } from './testing/workerd.ts'

describe('in workerd, over a double of S3', () => {
  const s3 = createS3({ ...TEST_STORE, credentials: RIGHTS })
  let bed: Awaited<ReturnType<typeof createWorkerd>>
  beforeAll(async () => {
    bed = await createWorkerd(s3.handle)
  })
  afterAll(() => bed.stop())

  test.each(CASES)('$name', (row) => runCase(bed, row))

  test.each(HOSTILE_PATHS)('finds nothing at %s', async (path) => {
    const reply = await bed.send('reader', { path })
    expect([400, 404]).toContain(reply.status)
    expect(reply.body).not.toContain('<')
    expect(reply.headers.get('x-amz-request-id')).toBeNull()
  })

  test.each([
    ['whole', {}],
    ['in part', { range: 'bytes=2-3' }],
  ])('decodes what was stored gzipped, asked for %s', async (_, headers) => {
    s3.put('coded.txt', gzipSync('0123456789'), {
      'content-type': 'text/plain',
      'content-encoding': 'gzip',
    })
    const reply = await bed.send('reader', { path: '/cmp-media/coded.txt', headers })
    expect(reply).toMatchObject({ status: 200, body: '0123456789' })
    expect(reply.headers.get('cache-status')).toContain('passed-through')
  })
})
