import { describe, expect, test } from 'vitest'
import { fetchPage } from './fetch-page.ts'
import { createSimulatedNetwork, HOST } from './simulated-network.ts'

const KEY = `${HOST}:/lighthouse`

describe('a KV entry', () => {
  test.each([
    ['in the previous format', { entryType: 'article', status: 200, soft: 1, hard: 2, at: 0 }],
    ['without metadata', null],
  ])('%s is a miss', async (_, metadata) => {
    const { createIsolate, kv } = createSimulatedNetwork()
    kv.seed(KEY, 'null\nold', metadata)
    const page = await fetchPage(createIsolate())
    expect(page.cacheStatus).toContain('fwd=uri-miss')
    expect(page.text).toContain('The lighthouse')
  })

  test('with more than 1,024 bytes of metadata is served, but not stored; usual metadata has less than 512', async () => {
    const { createIsolate, kv, logs } = createSimulatedNetwork()
    const isolate = createIsolate('here', { config: { build: 'b'.repeat(900) } })
    expect((await fetchPage(isolate)).status).toBe(200)
    expect(kv.written.size).toBe(0)
    expect(JSON.stringify(logs)).toMatch(/Metadata of .* has \d+ bytes, KV allows 1024/)
    await fetchPage(createIsolate('other'))
    const { metadata } = kv.written.get(KEY)?.at(-1) ?? {}
    expect(Buffer.byteLength(JSON.stringify(metadata))).toBeLessThan(512)
    expect(Object.keys(Object(metadata))).toEqual(
      expect.arrayContaining([
        'renderedAt',
        'freshUntil',
        'staleUntil',
        'lastModified',
        'sequence',
      ]),
    )
  })
})
