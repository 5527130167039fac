import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, startWorkerd } from './testing/workerd.ts'
import { SECRET } from './testing/world.ts'

let running: Running
beforeAll(async () => {
  running = await startWorkerd()
})
afterAll(() => running.stop())

describe('in workerd', () => {
  test.each([
    ['/', 200, '<h1>Home</h1>'],
    ['/lighthouse', 200, '<h1>The lighthouse</h1>'],
    ['/category/port', 200, '<h1>Category</h1>'],
    ['/nothing-here', 404, '<h1>Not found</h1>'],
    ['/__cms/health', 200, '"status":"ok"'],
  ])('%s answers %i', async (path, status, text) => {
    const response = await running.get(path)
    expect(response.status).toBe(status)
    expect(await response.text()).toContain(text)
  })

  test('a purge is seen by the next request', async () => {
    await running.get('/lighthouse')
    running.api.publish({ title: 'The new lighthouse' })
    const hit = await running.get('/lighthouse')
    expect(await hit.text()).toContain('The lighthouse')
    expect(hit.headers.get('cache-status')).toMatch(/^cms-edge; hit;.*detail=edge/)
    const purged = await running.get('/__cms/purge', {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      body: JSON.stringify({ host: 'news.test', url: '/lighthouse' }),
    })
    expect(await purged.json()).toMatchObject({ deleted: 1, complete: true })
    expect(await (await running.get('/lighthouse')).text()).toContain('The new lighthouse')
  })
})
