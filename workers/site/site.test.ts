import { describe, expect, test } from 'vitest'
import { createWorld } from './testing/world.ts'

describe('a page', () => {
  test('is rendered once, then answered from the edge cache, then from KV', async () => {
    const { open, clock, api } = createWorld()
    const isolate = open()
    const made = await isolate.get('/lighthouse')
    expect(made.status).toBe(200)
    expect(await made.text()).toContain('<h1>The lighthouse</h1>')
    expect(made.headers.get('cache-status')).toContain('fwd=uri-miss')
    await isolate.rest()
    const calls = api.calls.length
    const hit = await isolate.get('/lighthouse')
    expect(hit.headers.get('cache-status')).toMatch(/^cms-edge; hit; .*detail=edge/)
    isolate.edge.clear()
    const kept = await isolate.get('/lighthouse')
    expect(kept.headers.get('cache-status')).toMatch(/^cms-edge; hit; .*detail=kv/)
    expect(api.calls).toHaveLength(calls)
    expect(clock.now()).toBe(Date.UTC(2026, 10, 21, 8))
  })
})
