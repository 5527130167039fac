import { describe, expect, test } from 'vitest'
import { signPreview } from '../../../contract/preview.ts'
import { createSimulatedNetwork, HOST, SECRET } from '../tests/simulated-network.ts'

const HOUR = 3_600_000
/** The time of the simulated clock. */
const NOW = Date.UTC(2026, 10, 21, 8)
const bearer = { authorization: `Bearer ${SECRET}` }
const page = { host: HOST, path: '/lighthouse', version: undefined }
const sign = (changes: Partial<Parameters<typeof signPreview>[1]> = {}, expiry = NOW + HOUR) =>
  signPreview(SECRET, { ...page, ...changes }, expiry, expiry - HOUR)

describe('a preview is rejected', () => {
  test.each([
    ['no bearer', '1', {}],
    ['a wrong bearer', '1', { authorization: `Bearer ${SECRET}x` }],
    ['no token', '', bearer],
    ['a forged token', `${NOW + HOUR}.${'0'.repeat(64)}`, {}],
    ['a token of another page', sign({ path: '/other' }), {}],
    ['a token of another host', sign({ host: 'other.test' }), {}],
    ['a token of another version', sign({ version: '3' }), {}],
    ['an expired token', sign({}, NOW - 1), {}],
    ['a token for more than a day', sign({}, NOW + 25 * HOUR), {}],
  ])(
    'with 401 and without a call to the API: %s',
    async (_, token, headers: Record<string, string>) => {
      const { createIsolate, api } = createSimulatedNetwork()
      const response = await createIsolate().get(`/lighthouse?_preview=${await token}`, { headers })
      expect(response.status).toBe(401)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(api.calls).toEqual([])
    },
  )

  test.each([
    ['a bearer', '1', bearer],
    ['a token', sign(), {}],
  ])(
    'with 401 when no secret is configured: %s',
    async (_, token, headers: Record<string, string>) => {
      const { createIsolate, api } = createSimulatedNetwork()
      const isolate = createIsolate('here', { config: { adminSecret: undefined } })
      const response = await isolate.get(`/lighthouse?_preview=${await token}`, { headers })
      expect(response.status).toBe(401)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(api.calls).toEqual([])
    },
  )
})

describe('a preview', () => {
  test.each([
    ['bearer', '1', bearer],
    ['token', sign(), {}],
  ])('with a %s bypasses every cache', async (_, token, headers: Record<string, string>) => {
    const { createIsolate, kv, api } = createSimulatedNetwork()
    const isolate = createIsolate()
    await isolate.get('/lighthouse')
    await isolate.waitForBackgroundWork()
    api.publish({ title: 'Draft' })
    const before = [kv.operations, isolate.edge.operations]
    const response = await isolate.get(`/lighthouse?_preview=${await token}`, { headers })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('Draft')
    await isolate.waitForBackgroundWork()
    expect([kv.operations, isolate.edge.operations]).toEqual(before)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'cache-status': 'cms-edge; fwd=bypass; detail=preview',
    })
    expect(response.headers.has('etag')).toBe(false)
  })

  test('requests the version in the link from the API', async () => {
    const { createIsolate, api } = createSimulatedNetwork()
    const path = `/lighthouse?_preview=${await sign({ version: '3' })}&_version=3`
    expect((await createIsolate().get(path)).status).toBe(200)
    expect(api.calls.at(-1)).toContain('version=3')
  })

  test('shows the results of a search', async () => {
    const { createIsolate, api } = createSimulatedNetwork()
    const response = await createIsolate().get('/search?q=Light&_preview=1', { headers: bearer })
    expect(await response.text()).toContain('<h1>Search</h1>light')
    expect(api.calls.at(-1)).toContain('kind=search&q=light')
  })

  test('stays private when the API fails', async () => {
    const { createIsolate, api } = createSimulatedNetwork()
    api.mode = 'status-500'
    const response = await createIsolate().get(`/lighthouse?_preview=${await sign()}`)
    expect(response.status).toBe(503)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'cache-status': 'cms-edge; fwd=bypass; detail=preview',
    })
  })

  test('rejects an invalid version', async () => {
    const path = '/lighthouse?_preview=1&_version=0'
    expect(
      (await createSimulatedNetwork().createIsolate().get(path, { headers: bearer })).status,
    ).toBe(400)
  })
})

test('a link that is valid for more than a day is rejected when it is signed', async () => {
  await expect(signPreview(SECRET, page, NOW + 25 * HOUR, NOW)).rejects.toThrow(RangeError)
})
