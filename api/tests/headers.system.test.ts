import { expect, test } from 'vitest'
import { Ping } from '../../contract/ping.ts'
import { SiteIdentity } from '../../contract/site.ts'
import { PREVIEW_SECRET } from './fixture.ts'
import { describeRequests, readBody, useNewsroom } from './suite.ts'

const newsroom = useNewsroom()
const PREVIEW = { headers: { 'x-cms-preview': PREVIEW_SECRET } }
const VARY = 'Accept-Encoding, Authorization'

const readCaching = ({ headers }: Response) => [headers.get('cache-control'), headers.get('vary')]
describeRequests('Cache-Control and Vary', newsroom, readCaching, [
  ['ping', '/public/v2/ping', ['no-store', null]],
  ['settings', 'settings', ['public, s-maxage=300, stale-while-revalidate=86400', VARY]],
  [
    'pages',
    'pages/a1',
    ['public, s-maxage=300, stale-while-revalidate=600', `${VARY}, X-CMS-Preview`],
  ],
  ['authors', 'authors/jane', ['public, s-maxage=300, stale-while-revalidate=600', VARY]],
  ['lists', 'lists?kind=recent', ['public, s-maxage=120, stale-while-revalidate=600', VARY]],
  ['the sitemap', 'sitemap', ['public, s-maxage=3600, stale-while-revalidate=3600', VARY]],
  [
    'a version, which is private',
    'pages/a1?version=1',
    ['private, no-store', `${VARY}, X-CMS-Preview`],
    PREVIEW,
  ],
  [
    'a preview, which is private',
    'pages/a1',
    ['private, no-store', `${VARY}, X-CMS-Preview`],
    PREVIEW,
  ],
])

test('ping returns ok and the time', async () => {
  const response = await newsroom().request('/public/v2/ping')
  expect(await readBody(Ping, ({ status }) => status)(response)).toBe('ok')
})

test('v1 returns the identity of the site, with Deprecation and Sunset', async () => {
  const { request } = newsroom()
  const response = await request('/public/v1/sites/alpha')
  expect(await readBody(SiteIdentity, ({ acronym }) => acronym)(response)).toBe('alpha')
  expect(response.headers.get('deprecation')).toMatch(/^@\d+$/)
  expect(Date.parse(response.headers.get('sunset') ?? '')).toBeGreaterThan(Date.now())
  expect(response.headers.get('link')).toBe(
    '</public/v2/sites/alpha/settings>; rel="successor-version"',
  )
  expect((await request('/public/v1/sites/nobody')).headers.has('deprecation')).toBe(true)
})

test('v1 links to the successor of its endpoint, and only there', async () => {
  const linkOf = async (path: string) => (await newsroom().request(path)).headers.get('link')
  expect(await linkOf('/public/v1/sites/nobody%2Fhere%20')).toBe(
    '</public/v2/sites/nobody%2Fhere%20/settings>; rel="successor-version"',
  )
  for (const path of ['/public/v1/nothing', '/public/v1/sites/alpha/settings', '/public/v1/sites/'])
    expect(await linkOf(path), path).toBeNull()
  expect((await newsroom().request('/public/v1/nothing')).headers.has('sunset')).toBe(true)
})

test('v1 can be disabled', async () => {
  const withoutV1 = newsroom().fixture.start({ v1Enabled: false })
  expect((await withoutV1.request('/public/v1/sites/alpha')).status).toBe(404)
})

test('a valid request id is used, an invalid one is replaced', async () => {
  const { request, api } = newsroom()
  const named = await request('settings', { headers: { 'x-request-id': 'request-from-the-edge' } })
  expect(named.headers.get('x-request-id')).toBe('request-from-the-edge')
  const hostile = await request('settings', { headers: { 'x-request-id': '"><script>' } })
  expect(hostile.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(api.lines).toContainEqual(
    expect.objectContaining({ request_id: 'request-from-the-edge', status: 200 }),
  )
})

test('of the requests for the change log, only failed ones are logged at the level info', async () => {
  const { request, api } = newsroom()
  const loggedStatuses = () =>
    api.lines.flatMap(({ path, status }) => (String(path).endsWith('/changes') ? [status] : []))
  expect((await request('changes')).status).toBe(200)
  expect(loggedStatuses()).toEqual([])
  expect((await request('changes?after=invalid')).status).toBe(400)
  expect(loggedStatuses()).toEqual([400])
})

test('no log line contains a secret or a search', async () => {
  const { request, api } = newsroom()
  await request('lists?kind=search&q=typed-by-a-visitor', PREVIEW)
  await request('settings', { key: 'a-wrong-key-that-somebody-tried' })
  const log = JSON.stringify(api.lines)
  for (const secret of [PREVIEW_SECRET, 'typed-by-a-visitor', 'a-wrong-key-that-somebody-tried'])
    expect(log).not.toContain(secret)
})

test('Server-Timing has the duration of each step', async () => {
  const response = await newsroom().request('settings')
  expect(response.headers.get('server-timing')).toMatch(
    /site;dur=.*response;dur=.*cache;desc="(hit|miss)"/,
  )
})
