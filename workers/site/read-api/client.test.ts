import { describe, expect, test } from 'vitest'
import { toAlternates } from '../../../contract/link.ts'
import { ApiFailure, type ClientOptions, createClient, type Observation } from './client.ts'

const list = { items: [], next_cursor: null }
const json = (body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { headers })
const status = (code: number, headers: Record<string, string> = {}) =>
  new Response(null, { status: code, headers })

function clientOf(
  answers: (() => Response | Promise<Response>)[],
  but: Partial<ClientOptions> = {},
) {
  const asked: { url: string; headers: Headers }[] = []
  const observed: Observation[] = []
  const client = createClient({
    baseUrl: 'https://api.test/public/v2',
    apiKey: 'key',
    deadlineMs: 1000,
    observe: (observation) => observed.push(observation),
    fetch: async (url, init) => {
      asked.push({ url, headers: new Headers(init.headers) })
      const answer = answers[asked.length - 1]
      if (!answer) throw new Error('asked too often')
      return answer()
    },
    ...but,
  })
  return { client, asked, observed }
}

const refuse = () => Promise.reject(new TypeError('connection refused'))

describe('a definite answer', () => {
  test('is parsed and tells how long it holds', async () => {
    const headers = {
      etag: 'W/"1"',
      'last-modified': 'Sat, 21 Nov 2026 07:00:00 GMT',
      'cms-next-change': '2026-11-21T08:00:00.000Z',
    }
    const { client, asked, observed } = clientOf([() => json(list, headers)])
    const answer = await client.list('harbour', { kind: 'search', q: 'a&b', language: undefined })
    expect(answer).toEqual({
      type: 'ok',
      value: list,
      etag: 'W/"1"',
      lastModified: new Date('2026-11-21T07:00:00Z'),
      nextChange: new Date('2026-11-21T08:00:00Z'),
    })
    expect(asked[0]?.url).toBe('https://api.test/public/v2/sites/harbour/lists?kind=search&q=a%26b')
    expect(asked[0]?.headers.get('authorization')).toBe('Bearer key')
    expect(observed).toEqual([{ path: '/sites/harbour/lists?kind=search&q=a%26b', ...answer }])
  })

  test.each([
    ['404', () => status(404), { type: 'not-found' }],
    ['400', () => status(400), { type: 'not-found' }],
    ['304', () => status(304, { etag: 'W/"1"' }), { type: 'not-modified', etag: 'W/"1"' }],
    [
      '204',
      () => status(204, { link: toAlternates([{ language: 'de', path: '/de/a-b' }]) }),
      { type: 'elsewhere', alternates: [{ language: 'de', path: '/de/a-b' }] },
    ],
    [
      '204 with a foreign target',
      () => status(204, { link: '<//evil.test/x>; rel="alternate"; hreflang="de"' }),
      { type: 'elsewhere', alternates: [] },
    ],
  ])('%s is a value', async (_, answer, expected) => {
    const { client } = clientOf([answer])
    expect(await client.article('harbour', 'a', {}, { ifNoneMatch: 'W/"1"' })).toMatchObject(
      expected,
    )
  })

  test('a recheck sends the tag with the observed path', async () => {
    const { client, asked } = clientOf([() => status(304)])
    expect(await client.recheck('/sites/harbour/lists?kind=recent', 'W/"1"')).toMatchObject({
      type: 'not-modified',
    })
    expect(asked[0]?.headers.get('if-none-match')).toBe('W/"1"')
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
    ['a body that is no JSON', [() => new Response('<html>')], 1],
    ['a body outside the contract', [() => json({ ...list, more: 1 })], 1],
  ])('%s throws ApiFailure', async (_, answers, times) => {
    const { client, asked } = clientOf(answers)
    await expect(client.list('harbour', { kind: 'recent' })).rejects.toBeInstanceOf(ApiFailure)
    expect(asked).toHaveLength(times)
  })

  test.each([
    ['a refused connection', refuse],
    ['502', () => status(502)],
  ])('%s is tried once more', async (_, first) => {
    const { client } = clientOf([first, () => json(list)])
    expect(await client.list('harbour', { kind: 'recent' })).toMatchObject({ type: 'ok' })
  })

  test('an answer that hangs ends at the deadline, without a second try', async () => {
    const hang = (_: string, init: RequestInit) =>
      new Promise<Response>((_, reject) =>
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      )
    const { client } = clientOf([], { fetch: hang, deadlineMs: 20 })
    await expect(client.ping()).rejects.toBeInstanceOf(ApiFailure)
  })

  test('its message carries no query', async () => {
    const { client } = clientOf([() => status(500)])
    const failure = await client.list('harbour', { kind: 'search', q: 'secret' }).catch(String)
    expect(failure).not.toContain('secret')
  })
})
