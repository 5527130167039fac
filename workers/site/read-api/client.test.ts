import { describe, expect, test } from 'vitest'
import { toLinkHeader } from '../../../contract/link.ts'
import { createBreaker } from './breaker.ts'
import { ApiFailure, type ClientOptions, createClient, type Observation } from './client.ts'

const list = { items: [], next_cursor: null }
const json = (body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { headers })
const status = (code: number, headers: Record<string, string> = {}) =>
  new Response(null, { status: code, headers })

function clientOf(
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
const refuse = () => Promise.reject(new TypeError('connection refused'))

describe('a definite response', () => {
  test('is parsed, with the instant of its next change', async () => {
    const headers = {
      etag: 'W/"1"',
      'last-modified': 'Sat, 21 Nov 2026 07:00:00 GMT',
      'cms-next-change': '2026-11-21T08:00:00.000Z',
    }
    const { client, requests, observed } = clientOf([() => json(list, headers)])
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
      '204 with a foreign target',
      () => status(204, { link: '<//evil.test/x>; rel="alternate"; hreflang="de"' }),
      { type: 'other-languages', alternates: [] },
    ],
  ])('%s is a value', async (_, response, expected) => {
    const { client } = clientOf([response])
    expect(await client.article('harbour', 'a', {}, { ifNoneMatch: 'W/"1"' })).toMatchObject(
      expected,
    )
  })

  test.each([
    ['a moved article', { to: '/b', status: 301 }, { to: '/b', status: 301 }],
    ['an article gone for good', { to: null, status: 410 }, { to: null, status: 410 }],
    ['a target on another host', { to: '//evil.test/', status: 301 }, undefined],
    ['a status that is no redirect', { to: '/b', status: 200 }, undefined],
    ['no redirect', undefined, undefined],
  ])('a 404 contains %s', async (_, redirect, expected) => {
    const problem = { title: 'Not found', status: 404, code: 'resource_not_found', redirect }
    const { client } = clientOf([() => Response.json(problem, { status: 404 })])
    expect(await client.article('harbour', 'a')).toEqual({ type: 'not-found', redirect: expected })
  })

  test('a revalidation sends the tag with the observed path', async () => {
    const { client, requests } = clientOf([() => status(304)])
    expect(await client.recheck('/sites/harbour/lists?kind=recent', 'W/"1"')).toMatchObject({
      type: 'not-modified',
    })
    expect(requests[0]?.headers.get('if-none-match')).toBe('W/"1"')
  })
})

describe('a failure', () => {
  test.each([
    ['a refused connection, twice', [refuse, refuse], 2],
    ['503, twice', [() => status(503), () => status(503)], 2],
    ['500', [() => status(500)], 1],
    ['429', [() => status(429)], 1],
    ['401', [() => status(401)], 1],
    ['a redirect', [() => status(302, { location: 'https://evil.test/' })], 1],
    ['a body that is not JSON', [() => new Response('<html>')], 1],
    ['a body outside the contract', [() => json({ ...list, more: 1 })], 1],
  ])('%s throws ApiFailure', async (_, responses, times) => {
    const { client, requests } = clientOf(responses)
    await expect(client.list('harbour', { kind: 'recent' })).rejects.toBeInstanceOf(ApiFailure)
    expect(requests).toHaveLength(times)
  })

  test.each([
    ['a refused connection', refuse],
    ['502', () => status(502)],
  ])('%s is tried once more', async (_, first) => {
    const { client } = clientOf([first, () => json(list)])
    expect(await client.list('harbour', { kind: 'recent' })).toMatchObject({ type: 'ok' })
  })

  test('a response that hangs fails at the deadline and is not tried again', async () => {
    const { client } = clientOf([], { fetch: hang, deadlineMs: 20 })
    await expect(client.ping()).rejects.toBeInstanceOf(ApiFailure)
  })

  test('has no query in its message', async () => {
    const { client } = clientOf([() => status(500)])
    const failure = await client.list('harbour', { kind: 'search', q: 'secret' }).catch(String)
    expect(failure).not.toContain('secret')
  })
})

describe('an API that hangs', () => {
  const SECOND = 1000

  function hangingClient() {
    let now = 0
    let calls = 0
    let hangs = true
    const { client } = clientOf([], {
      breaker: createBreaker(() => now),
      deadlineMs: 20,
      fetch: async (url, init) => {
        calls++
        return hangs ? hang(url, init) : json(list)
      },
    })
    return {
      ask: () => client.list('harbour', { kind: 'recent' }),
      calls: () => calls,
      advance: (milliseconds: number) => {
        now += milliseconds
      },
      recover: () => {
        hangs = false
      },
    }
  }

  test('is called once, then not for 10 s, then by one probe at a time', async () => {
    const { ask, calls, advance } = hangingClient()
    await expect(ask()).rejects.toThrow('did not respond')
    await expect(ask()).rejects.toThrow('The next attempt is in 10000 ms')
    advance(9 * SECOND)
    await expect(ask()).rejects.toThrow('The next attempt is in 1000 ms')
    expect(calls()).toBe(1)
    advance(SECOND)
    const [probe, other] = await Promise.allSettled([ask(), ask()])
    expect([probe.status, other.status]).toEqual(['rejected', 'rejected'])
    expect(calls()).toBe(2)
  })

  test('is called by all requests again after a probe succeeds', async () => {
    const { ask, calls, advance, recover } = hangingClient()
    await ask().catch(() => {})
    recover()
    advance(10 * SECOND)
    await ask()
    await Promise.all([ask(), ask()])
    expect(calls()).toBe(4)
  })

  test('differs from one that refuses connections, which does not open the breaker', async () => {
    const { client, requests } = clientOf([refuse, refuse, refuse, refuse], {
      breaker: createBreaker(() => 0),
    })
    for (const _ of [1, 2]) await expect(client.ping()).rejects.toThrow('did not respond')
    expect(requests).toHaveLength(4)
  })
})
