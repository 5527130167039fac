import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SettingsBundle } from '../../contract/settings.ts'
import { SitemapResponse } from '../../contract/sitemap.ts'
import { createFixture, type Fixture, KEY, KEY_DIGESTS } from '../tests/fixture.ts'
import { fillNewsroom } from '../tests/newsroom.ts'

// Limit of a response of a Function URL, as in api/payload.ts.
const MAX_PAYLOAD_BYTES = 6_291_556
const SETTINGS = '/public/v2/sites/alpha/settings'
const SITEMAP = '/public/v2/sites/alpha/sitemap'

interface Result {
  statusCode: number
  headers: Record<string, string>
  body: string
  isBase64Encoded: boolean
}
interface Invocation {
  path: string
  query?: string
  headers?: Record<string, string>
  method?: string
  body?: string
}

let fixture: Fixture
let invoke: (invocation: Invocation) => Promise<Result>

beforeAll(async () => {
  fixture = await createFixture()
  await fillNewsroom(fixture)
  vi.stubEnv('DATABASE_URL', fixture.url)
  vi.stubEnv('CMS_API_KEY_DIGESTS', KEY_DIGESTS.join(','))
  vi.stubEnv('LOG_LEVEL', 'silent')
  const { handler } = await import('./lambda.ts')
  invoke = async ({ path, query = '', headers, method = 'GET', body }) => {
    const event: unknown = {
      version: '2.0',
      routeKey: '$default',
      rawPath: path,
      rawQueryString: query,
      headers: { authorization: `Bearer ${KEY}`, ...headers },
      requestContext: {
        domainName: 'x.example',
        requestId: 'request-0001',
        http: { method, path },
      },
      ...(body && { body }),
      isBase64Encoded: false,
    }
    return (await handler(event as Parameters<typeof handler>[0])) as Result
  }
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await fixture.close()
})

/** Inserts 30,000 articles with long slugs. Their sitemap is larger than the limit of a Function URL. */
const fillSitemap = () =>
  fixture.sql(`INSERT INTO articles (site_id, slug, language, status, title, description, body_html,
      word_count, show_in_homepage, published_at, updated_at, created_at)
    SELECT 1, repeat('long-', 28) || n, 'en', 'published', 'Title', '', '', 1, true, at, at, at
    FROM generate_series(1, 30000) AS n, (SELECT timestamptz '2026-01-01' AS at) AS instant`)

test('the function returns the settings, with the id of the invocation as request id', async () => {
  const { statusCode, headers, body, isBase64Encoded } = await invoke({ path: SETTINGS })
  expect({ statusCode, isBase64Encoded }).toEqual({ statusCode: 200, isBase64Encoded: false })
  expect(SettingsBundle.parse(JSON.parse(body)).site.acronym).toBe('alpha')
  expect(headers['x-request-id']).toBe('request-0001')
})

test('the function passes on query, method and request id, and ignores a body', async () => {
  const limited = await invoke({ path: SITEMAP, query: 'limit=1', body: 'ignored' })
  expect(SitemapResponse.parse(JSON.parse(limited.body)).urls).toHaveLength(1)
  const posted = await invoke({ path: SITEMAP, method: 'POST', body: '{}' })
  expect(posted).toMatchObject({ statusCode: 405, headers: { allow: 'GET, HEAD' } })
  const withRequestId = await invoke({ path: SITEMAP, headers: { 'x-request-id': 'given-0001' } })
  expect(withRequestId.headers['x-request-id']).toBe('given-0001')
})

test('a compressed body is base64; HEAD and 304 have no body', async () => {
  const call = { path: SETTINGS, headers: { 'accept-encoding': 'gzip' } }
  const compressed = await invoke(call)
  expect(compressed).toMatchObject({
    isBase64Encoded: true,
    headers: { 'content-encoding': 'gzip' },
  })
  const bytes = Buffer.from(compressed.body, 'base64')
  expect(compressed.headers['content-length']).toBe(String(bytes.length))
  const plain = await invoke({ path: SETTINGS })
  expect(gunzipSync(bytes).toString()).toBe(plain.body)
  expect((await invoke({ ...call, method: 'HEAD' })).body).toBe('')
  const conditional = { 'if-none-match': compressed.headers.etag ?? '' }
  expect(await invoke({ path: SETTINGS, headers: conditional })).toMatchObject({
    statusCode: 304,
    body: '',
  })
})

test('the function requires the key for documentation and readiness too', async () => {
  const headers = { authorization: 'Bearer wrong' }
  for (const path of ['/docs', '/openapi.json', '/readyz', '/public/v2/ping', '/nothing'])
    expect((await invoke({ path, headers })).statusCode, path).toBe(401)
  expect((await invoke({ path: '/healthz', headers })).statusCode).toBe(200)
})

test('a response too large for a Function URL is compressed, or becomes a 406 that states the limit', async () => {
  await fillSitemap()
  const wholeSitemap = { path: SITEMAP, query: 'limit=50000' }
  const compressed = await invoke(wholeSitemap)
  expect(compressed.statusCode, compressed.body.slice(0, 500)).toBe(200)
  const body = gunzipSync(Buffer.from(compressed.body, 'base64')).toString()
  expect(Buffer.byteLength(body)).toBeGreaterThan(MAX_PAYLOAD_BYTES)
  expect(Buffer.byteLength(JSON.stringify(compressed))).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES)
  const rejected = await invoke({ ...wholeSitemap, headers: { 'accept-encoding': 'identity' } })
  expect(rejected.statusCode).toBe(406)
  expect(JSON.parse(rejected.body)).toMatchObject({
    code: 'not_acceptable',
    detail: expect.stringContaining('6 MB uncompressed'),
  })
  const conditional = {
    'accept-encoding': 'identity',
    'if-none-match': compressed.headers.etag ?? '',
  }
  expect((await invoke({ ...wholeSitemap, headers: conditional })).statusCode).toBe(304)
})
