import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { CASES, runCase } from './testing/cases.ts'
import { HOSTILE_PATHS } from './testing/hostile.ts'
import { createDouble, toTestStore } from './testing/stores.ts'
import { createWorkerd } from './testing/workerd.ts'

type Workerd = Awaited<ReturnType<typeof createWorkerd>>

const double = createDouble()

describe.each([
  ['a double of S3', double],
  ["the local cloud's store", toTestStore(inject('store'))],
])('in workerd, over %s', (_, store) => {
  let bed: Workerd
  beforeAll(async () => {
    bed = await createWorkerd(store)
  })
  afterAll(() => bed.stop())

  test.each(CASES)('$name', (row) => runCase(bed, row))

  test.each(HOSTILE_PATHS)('finds nothing at %s', async (path) => {
    const reply = await bed.send('reader', { path })
    expect([400, 404]).toContain(reply.status)
    expect(reply.body).not.toContain('<')
    expect(reply.headers.get('x-amz-request-id')).toBeNull()
  })
})

describe('in workerd, of what is stored gzipped', () => {
  let bed: Workerd
  beforeAll(async () => {
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' }
    double.put('coded.txt', gzipSync('0123456789'), headers)
    bed = await createWorkerd(double)
  })
  afterAll(() => bed.stop())

  test.each([
    ['the whole', {}],
    ['a part', { range: 'bytes=2-3' }],
  ])('decodes all when asked for %s', async (_, headers) => {
    const reply = await bed.send('reader', { path: '/cmp-media/coded.txt', headers })
    expect(reply).toMatchObject({ status: 200, body: '0123456789' })
    expect(reply.headers.get('cache-status')).toContain('passed-through')
  })
})
