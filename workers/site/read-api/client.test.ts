import { describe, expect, test } from 'vitest'
import { toLinkHeader } from '../../../contract/link.ts'
import { createBreaker } from './breaker.ts'
import { ApiFailure, type ClientOptions, createClient, type Observation } from './client.ts'

const list = { items: [], next_cursor: null }
const json = (body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { headers })
const status = (code: number, headers: Record<string, string> = {}) =>
  new Response(null, { status: code, headers })

function createTestClient(
  responses: (() => Response | Promise<Response>)[],
  changes: Partial<ClientOptions> = {},
) {
  const requests: { url: string; headers: Headers }[] = []
  const observed: Observation[] = []
  const client = createClient({
    baseUrl: 'https://api.test/public/v2',
    apiKey: 'key',
    deadlineMs: 1000,
    observe: (observation) => observed.push(observation),
    fetch: async (url, init) => {
      requests.push({ url, headers: new Headers(init.headers) })
      const response = responses[requests.length - 1]
      if (!response) throw new Error('more requests than responses')
      return response()
    },
    ...changes,
  })
  return { client, requests, observed }
}

const hang = (_: string, init: RequestInit) =>
  new Promise<Response>((_, reject) =>
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
  )
const refuseConnection = () => Promise.reject(new TypeError('connection refused'))

describe('a response', () => {
  test('is parsed, with its validators and the time of its next change', async () => {
    const headers = {
      etag: 'W/"1"',
      'last-modified': 'Sat, 21 Nov 2026 07:00:00 GMT',
      'cms-next-change': '2026-11-21T08:00:00.000Z',
    }
    const { client, requests, observed } = createTestClient([() => json(list, headers)])
    const response = await client.list('harbour', { kind: 'search', q: 'a&b', language: undefined })
    expect(response).toEqual({
      type: 'ok',
      value: list,
      etag: 'W/"1"',
      lastModified: new Date('2026-11-21T07:00:00Z'),
      nextChange: new Date('2026-11-21T08:00:00Z'),
    })
    expect(requests[0]?.url).toBe(
      'https://api.test/public/v2/sites/harbour/lists?kind=search&q=a%26b',
    )
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer key')
    expect(observed).toEqual([{ path: '/sites/harbour/lists?kind=search&q=a%26b', ...response }])
  })

  test.each([
    ['404', () => status(404), { type: 'not-found' }],
    ['400', () => status(400), { type: 'not-found' }],
    ['304', () => status(304, { etag: 'W/"1"' }), { type: 'not-modified', etag: 'W/"1"' }],
    [
      '204',
      () => status(204, { link: toLinkHeader([{ language: 'de', path: '/de/a-b' }]) }),
      { type: 'other-languages', alternates: [{ language: 'de', path: '/de/a-b' }] },
    ],
    [
      '204 with a link to another host',
      () => status(204, { link: '<//evil.test/x>; rel="alternate"; hreflang="de"' }),
      { type: 'other-languages', alternates: [] },
    ],
  ])('with status %s is a value', async (_, response, expected) => {
    const { client } = createTestClient([response])
    expect(await client.article('harbour', 'a', {}, { ifNoneMatch: 'W/"1"' })).toMatchObject(
      expected,
    )
  })

  test.each([
    ['a moved article', { to: '/b', status: 301 }, { to: '/b', status: 301 }],
    ['a permanently deleted article', { to: null, status: 410 }, { to: null, status: 410 }],
    ['a target on another host', { to: '//evil.test/', status: 301 }, undefined],
    ['a status that is not a redirect', { to: '/b', status: 200 }, undefined],
    ['no redirect', undefined, undefined],
  ])('a 404 contains %s', async (_, redirect, expected) => {
    const problem = { title: 'Not found', status: 404, code: 'resource_not_found', redirect }
    const { client } = createTestClient([() => Response.json(problem, { status: 404 })])
    expect(await client.article('harbour', 'a')).toEqual({ type: 'not-found', redirect: expected })
  })

  test('a revalidation sends the tag with the observed path', async () => {
    const { client, requests } = createTestClient([() => status(304)])
    expect(await client.revalidate('/sites/harbour/lists?kind=recent', 'W/"1"')).toMatchObject({
      type: 'not-modified',
    })
    expect(requests[0]?.headers.get('if-none-match')).toBe('W/"1"')
  })
})

describe('a failure', () => {
  test.each([
    ['a refused connection, twice', [refuseConnection, refuseConnection], 2],
    ['503, twice', [() => status(503), () => status(503)], 2],
    ['500', [() => status(500)], 1],
    ['429', [() => status(429)], 1],
    ['401', [() => status(401)], 1],
    ['a redirect', [() => status(302, { location: 'https://evil.test/' })], 1],
    ['a body that is not JSON', [() => new Response('<html>')], 1],
    ['a body that does not match its schema', [() => json({ ...list, more: 1 })], 1],
  ])('%s throws ApiFailure', async (_, responses, times) => {
    const { client, requests } = createTestClient(responses)
    await expect(client.list('harbour', { kind: 'recent' })).rejects.toBeInstanceOf(ApiFailure)
    expect(requests).toHaveLength(times)
  })

  test.each([
    ['a refused connection', refuseConnection],
    ['502', () => status(502)],
  ])('%s is retried once', async (_, first) => {
    const { client } = createTestClient([first, () => json(list)])
    expect(await client.list('harbour', { kind: 'recent' })).toMatchObject({ type: 'ok' })
  })

  test('a response that hangs fails at the deadline and is not retried', async () => {
    let calls = 0
    const fetch: ClientOptions['fetch'] = (url, init) => {
      calls++
      return hang(url, init)
    }
    const { client } = createTestClient([], { fetch, deadlineMs: 20 })
    await expect(client.ping()).rejects.toBeInstanceOf(ApiFailure)
    expect(calls).toBe(1)
  })

  test('has no query in its message', async () => {
    const { client } = createTestClient([() => status(500)])
    const failure = await client.list('harbour', { kind: 'search', q: 'secret' }).catch(String)
    expect(failure).not.toContain('secret')
  })
})

describe('an API that hangs', () => {
  const SECOND = 1000

  function createHangingClient() {
    let now = 0
    let calls = 0
    let isHanging = true
    const { client } = createTestClient([], {
      breaker: createBreaker(() => now),
      deadlineMs: 20,
      fetch: async (url, init) => {
        calls++
        return isHanging ? hang(url, init) : json(list)
      },
    })
    return {
      send: () => client.list('harbour', { kind: 'recent' }),
      calls: () => calls,
      advance: (milliseconds: number) => {
        now += milliseconds
      },
      recover: () => {
        isHanging = false
      },
    }
  }

  test('is called once, then not for 10 s, then by one probe at a time', async () => {
    const { send, calls, advance } = createHangingClient()
    await expect(send()).rejects.toThrow('did not respond')
    await expect(send()).rejects.toThrow('The next attempt is in 10000 ms')
    advance(9 * SECOND)
    await expect(send()).rejects.toThrow('The next attempt is in 1000 ms')
    expect(calls()).toBe(1)
    advance(SECOND)
    const [probe, other] = await Promise.allSettled([send(), send()])
    expect([probe.status, other.status]).toEqual(['rejected', 'rejected'])
    expect(calls()).toBe(2)
  })

  test('is called by all requests again after a probe succeeds', async () => {
    const { send, calls, advance, recover } = createHangingClient()
    await send().catch(() => {})
    recover()
    advance(10 * SECOND)
    await send()
    await Promise.all([send(), send()])
    expect(calls()).toBe(4)
  })
})

test('an API that refuses connections does not open the breaker', async () => {
  const { client, requests } = createTestClient(
    [refuseConnection, refuseConnection, refuseConnection, refuseConnection],
    { breaker: createBreaker(() => 0) },
  )
  for (const _ of [1, 2]) await expect(client.ping()).rejects.toThrow('did not respond')
  expect(requests).toHaveLength(4)
})
