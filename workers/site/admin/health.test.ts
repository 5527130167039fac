import { describe, expect, test } from 'vitest'
import {
  createSimulatedNetwork,
  SECRET,
  type SimulatedNetwork,
} from '../tests/simulated-network.ts'

const bearer = { authorization: `Bearer ${SECRET}` }

test.each(['GET', 'HEAD'])('%s responds without I/O', async (method) => {
  const { createIsolate, kv, api } = createSimulatedNetwork()
  const isolate = createIsolate()
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

test('other methods are rejected', async () => {
  const response = await createSimulatedNetwork()
    .createIsolate()
    .get('/__cms/health', { method: 'POST' })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('GET, HEAD')
})

describe('the deep check', () => {
  test('does no I/O without the bearer', async () => {
    const { createIsolate, kv, api, database } = createSimulatedNetwork()
    expect((await createIsolate().get('/__cms/health?deep=1')).status).toBe(401)
    expect([kv.operations, api.calls.length, database.transactions.length]).toEqual([0, 0, 0])
  })

  test.each<[string, (network: SimulatedNetwork) => unknown, string[] | undefined]>([
    ['all parts work', () => {}, undefined],
    ['KV fails', ({ kv }) => Object.assign(kv.faults, { failing: true }), ['kv']],
    ['D1 fails', ({ database }) => Object.assign(database.faults, { failing: true }), ['d1']],
    ['the API fails', ({ api }) => Object.assign(api, { mode: 'status-500' }), ['api']],
    [
      'the settings do not match their schema',
      ({ api }) => Object.assign(api, { settings: { ...api.settings, site: null } }),
      ['api'],
    ],
    [
      'the API has no such site',
      ({ api }) => Object.assign(api.settings.site, { acronym: 'x' }),
      ['api'],
    ],
    [
      'KV, D1 and the API fail',
      ({ kv, database, api }) => {
        kv.faults.failing = true
        database.faults.failing = true
        api.mode = 'connection-refused'
      },
      ['kv', 'd1', 'api'],
    ],
    [
      'the change log was not read for three minutes',
      ({ clock }) => clock.advance(181_000),
      ['following'],
    ],
  ])('reports that %s', async (_, fail, failing) => {
    const network = createSimulatedNetwork()
    await fail(network)
    const response = await network.createIsolate().get('/__cms/health?deep=1', { headers: bearer })
    expect(response.status).toBe(failing ? 503 : 200)
    const body = await response.json()
    expect(body).toMatchObject({ status: failing ? 'failing' : 'ok', ...(failing && { failing }) })
  })

  test('reports when the change log was last read, and the error of the last run', async () => {
    const { createIsolate, api, clock } = createSimulatedNetwork()
    const isolate = createIsolate()
    const check = async () =>
      (await isolate.get('/__cms/health?deep=1', { headers: bearer })).json()
    const followed = new Date(clock.now()).toISOString()
    await clock.advance(6000)
    api.isFailing = (path) => path.includes('/changes')
    await isolate.runCron()
    expect(await check()).toMatchObject({
      failing: ['following'],
      followed_at: followed,
      failure: expect.stringContaining('500'),
    })
    api.isFailing = () => false
    await clock.advance(6000)
    await isolate.runCron()
    const now = new Date(clock.now()).toISOString()
    expect(await check()).toMatchObject({ status: 'ok', followed_at: now })
  })

  test('fails after two seconds when KV hangs', async () => {
    const { createIsolate, kv, clock } = createSimulatedNetwork()
    kv.faults.latency = 60_000
    const before = clock.now()
    expect((await createIsolate().get('/__cms/health?deep=1', { headers: bearer })).status).toBe(
      503,
    )
    expect(clock.now() - before).toBe(2000)
  })
})
