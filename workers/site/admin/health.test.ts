import { describe, expect, test } from 'vitest'
import { createWorld, SECRET } from '../tests/world.ts'

const bearer = { authorization: `Bearer ${SECRET}` }

test.each(['GET', 'HEAD'])('%s is answered without touching anything', async (method) => {
  const { open, kv, api } = createWorld()
  const isolate = open()
  const response = await isolate.get('/__cms/health', { method })
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const text = await response.text()
  expect(text && JSON.parse(text)).toEqual(
    method === 'HEAD'
      ? ''
      : {
          status: 'ok',
          worker: 'cms-edge-worker-test',
          version: '0123456789ab',
          time: '2026-11-21T08:00:00.000Z',
        },
  )
  expect([kv.operations, isolate.edge.operations, api.calls.length]).toEqual([0, 0, 0])
})

test('other methods are refused', async () => {
  const response = await createWorld().open().get('/__cms/health', { method: 'POST' })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('GET, HEAD')
})

describe('deep', () => {
  test('asks nobody for a stranger', async () => {
    const { open, kv, api } = createWorld()
    expect((await open().get('/__cms/health?deep=1')).status).toBe(401)
    expect([kv.operations, api.calls.length]).toEqual([0, 0])
  })

  test.each([
    ['all is well', false, 'well', 200, undefined],
    ['KV fails', true, 'well', 503, ['kv']],
    ['the API fails', false, 'failing', 503, ['api']],
    ['both fail', true, 'refusing', 503, ['kv', 'api']],
  ] as const)('%s', async (_, failing, mode, status, parts) => {
    const { open, kv, api } = createWorld()
    kv.faults.failing = failing
    api.mode = mode
    const response = await open().get('/__cms/health?deep=1', { headers: bearer })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({
      status: parts ? 'failing' : 'ok',
      ...(parts && { failing: parts }),
    })
  })

  test('takes an API that knows no ping for a failing one', async () => {
    const isolate = createWorld().open('here', { config: { apiBaseUrl: 'https://api.test/v0' } })
    const response = await isolate.get('/__cms/health?deep=1', { headers: bearer })
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ failing: ['api'] })
  })

  test('does not wait for a KV that hangs', async () => {
    const { open, kv, clock } = createWorld()
    kv.faults.latency = 60_000
    const before = clock.now()
    expect((await open().get('/__cms/health?deep=1', { headers: bearer })).status).toBe(503)
    expect(clock.now() - before).toBe(2000)
  })
})
