import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIST_KINDS } from '../../contract/list.ts'
import { Problem } from '../../contract/problem.ts'
import { type RunningServer, serve } from '../entrypoints/serve.ts'
import { createFixture, type Fixture, type Instance, KEY, PREVIEW_SECRET } from './fixture.ts'
import { fillNewsroom } from './newsroom.ts'

const REQUESTS = 20_000

let fixture: Fixture
let api: Instance
let server: RunningServer
let cursor = ''

beforeAll(async () => {
  fixture = await createFixture()
  await fillNewsroom(fixture)
  api = fixture.start()
  server = await serve(api.app.fetch, 0)
  const response = await api.request('/public/v2/sites/1/lists?kind=recent&limit=1')
  cursor = ((await response.json()) as { next_cursor: string }).next_cursor
})
afterAll(async () => {
  await server.close()
  await fixture.close()
})

const HOSTILE_PARTS = [
  '%00',
  '%',
  '%%',
  '%zz',
  '%ff',
  '%c0%af',
  '%ed%a0%80',
  '%F0%9F%98%80',
  '..',
  '%2e%2e',
  '%2f',
  '%5c',
  '\\',
  '//',
  ';',
  '%0d%0a',
  "'",
  '"',
  '--',
  '%27%20OR%201=1',
  '$1',
  '{}',
  '__proto__',
  'constructor',
  '%25',
  '%2525',
  '_',
  '*',
  '?',
  '#',
  '+',
  '%20',
  '&',
  '=',
  '0',
  '-0',
  '-1',
  '1e3',
  '0x10',
  '1.5',
  'NaN',
  'Infinity',
  '2147483647',
  '2147483648',
  '9007199254740993',
  '99999999999999999999',
  'alpha',
  'ALPHA',
  '1042',
  'closed',
  'a1',
  'jane',
  'news',
  'en',
  'de',
  'xx-yy',
  'ﬀ',
  'İ',
  '\u202e',
  'a'.repeat(300),
  '%61'.repeat(200),
]
// Below are the generators (fast-check arbitraries) of the parts of a request.
const part = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_PARTS) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20, unit: 'binary' }) },
  { weight: 1, arbitrary: fc.integer().map(String) },
)
const PARAMETER_NAMES = [
  'kind',
  'category',
  'author_slug',
  'related_to',
  'q',
  'language',
  'month',
  'limit',
  'cursor',
  'since',
  'version',
  'related_limit',
  'after',
  '',
  '__proto__',
  'x',
]
/** Inserts a hostile part into a text. */
const insertPart = (text: string) =>
  fc
    .nat(text.length)
    .chain((at) => part.map((inserted) => text.slice(0, at) + inserted + text.slice(at)))
const value = fc.oneof(
  { weight: 3, arbitrary: part },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...LIST_KINDS, '1', '100', '0.0', '1.1', '999999999999999999.0'),
  },
  // The cursor exists only when the test runs, so it is read for each value.
  { weight: 1, arbitrary: fc.constant(null).chain(() => insertPart(cursor)) },
)
const query = fc
  .array(fc.tuple(fc.constantFrom(...PARAMETER_NAMES), value), { maxLength: 4 })
  .map((pairs) => pairs.map(([name, each]) => `${name}=${each}`).join('&'))
const list = fc
  .tuple(fc.constantFrom(...LIST_KINDS), value, query)
  .map(
    ([kind, each, more]) =>
      `/public/v2/sites/1/lists?kind=${kind}&category=${each}&author_slug=${each}&related_to=${each}&q=${each}&${more}`,
  )
const anyEndpoint = fc
  .tuple(
    fc.oneof(part, fc.constantFrom('1', 'alpha')),
    fc.constantFrom('settings', 'pages', 'authors', 'lists', 'sitemap', 'changes', 'nothing'),
    fc.option(part),
    query,
  )
  .map(
    ([site, endpoint, slug, more]) =>
      `/public/v2/sites/${site}/${endpoint}${slug === null ? '' : `/${slug}`}?${more}`,
  )
const path = fc.oneof(
  list,
  anyEndpoint,
  fc.array(part, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
)
const headers = fc.record(
  {
    'if-none-match': fc.oneof(
      fc.constantFrom('*', '"', 'W/', 'W/"x', ',,,', '"a", W/"b"'),
      fc.string(),
    ),
    'if-modified-since': fc.oneof(
      fc.constantFrom('0', 'Sun, 99 Nov 9999 99:99:99 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT'),
      fc.string(),
    ),
    'accept-encoding': fc.oneof(fc.constantFrom('br;q=', 'gzip;q=9', '*;q=0', ',;,'), fc.string()),
    'x-cms-preview': fc.oneof(fc.constantFrom(PREVIEW_SECRET, ''), fc.string()),
    'x-request-id': fc.string(),
  },
  { requiredKeys: [] },
)
const method = fc.oneof(
  { weight: 9, arbitrary: fc.constant('GET') },
  { weight: 1, arbitrary: fc.constantFrom('HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH') },
)
const hostile = fc.record({
  path,
  headers,
  method,
  // One request in 20.
  hasNoKey: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
})

const isError = (status: number): boolean => status >= 400

test(`none of ${REQUESTS} hostile requests gets a 5xx, and every error is a problem response`, async () => {
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(hostile, async (parts) => {
      const request = toRequest(parts)
      if (!request) return
      const response = await api.app.fetch(request)
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      expect(response.status).toBeLessThan(500)
      if (isError(response.status))
        expect(response.headers.get('content-type')).toBe('application/problem+json')
      if (isError(response.status) && parts.method !== 'HEAD') Problem.parse(await response.json())
      else await response.arrayBuffer()
    }),
    { numRuns: REQUESTS },
  )
  // The requests must cover all kinds of responses.
  expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining([200, 400, 401, 404, 405]))
  expect(api.lines.filter((line) => 'err' in line)).toEqual([])
}, 180_000)

interface RequestParts {
  path: string
  method: string
  headers: Record<string, string>
  hasNoKey: boolean
}

function toRequest({ path, method, headers, hasNoKey }: RequestParts): Request | undefined {
  try {
    const all = new Headers(headers)
    if (!hasNoKey) all.set('authorization', `Bearer ${KEY}`)
    return new Request(`http://api.example${path}`, { method, headers: all })
  } catch {
    // `fetch` does not allow such a request. The tests below send some over a socket.
    return undefined
  }
}

test('headers that are too long are a 431, invalid HTTP is a 400', async () => {
  expect(await sendRaw(`GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/,
  )
  expect(await sendRaw('hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
})

test.each([
  ['text that is not HTTP', 'hello\r\n\r\n'],
  ['headers too long', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['a path too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`],
  ['a header without a name', 'GET / HTTP/1.1\r\nhost: a\r\n: x\r\n\r\n'],
  ['a NUL in a header', 'GET / HTTP/1.1\r\nhost: a\r\nx: a\0b\r\n\r\n'],
  ['no host', 'GET /public/v2/ping HTTP/1.1\r\nconnection: close\r\n\r\n'],
  ['two hosts', 'GET /public/v2/ping HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n'],
  ['a broken host', 'GET /public/v2/ping HTTP/1.1\r\nhost: a b<>\r\nconnection: close\r\n\r\n'],
  [
    'a backslash in the path',
    'GET /public\\v2/ping HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
  ],
  [
    'raw bytes in the path',
    'GET /public/v2/sites/\xff\xfe HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
  ],
  ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
  ['an unknown method', 'BREW / HTTP/1.1\r\nhost: a\r\n\r\n'],
  [
    'a method that fetch forbids',
    'TRACE /public/v2/ping HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
  ],
  ['an expectation', 'GET /nothing HTTP/1.1\r\nhost: a\r\nexpect: x\r\nconnection: close\r\n\r\n'],
  ['an asterisk as target', 'OPTIONS * HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
])('%s over a socket is a 4xx with a problem', async (_, bytes) => {
  const response = await sendRaw(bytes)
  expect(response).toMatch(/^HTTP\/1\.1 4\d\d /)
  const [head = '', body = ''] = response.split('\r\n\r\n')
  expect(head.toLowerCase()).toContain('content-type: application/problem+json')
  Problem.parse(JSON.parse(body))
})

test('the problem of a request with two Host headers names them', async () => {
  const response = await sendRaw(
    'GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n',
  )
  expect(response).toContain('The request has more than one Host header.')
})

async function sendRaw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(Buffer.from(bytes, 'latin1'))
  return text(socket)
}
