import { describe, expect, test } from 'vitest'
import { decideRequest } from './decide.ts'

const HOST = 'news.test'
function decide(path: string, method = 'GET', host = HOST) {
  return decideUrl(`https://${host}${path}`, method)
}

function decideUrl(url: string, method = 'GET', siteHost = HOST) {
  return decideRequest({ url: new URL(url), unparsedUrl: url, method }, siteHost)
}

const redirect = (path: string, queryString = '') =>
  ({ type: 'redirect', status: 301, origin: '', path, queryString, isPreview: false }) as const

test.each([
  ['/', { type: 'page', path: '/' }],
  ['/a-slug', { type: 'page', path: '/a-slug' }],
  ['/a-slug?utm_source=x', { type: 'page', path: '/a-slug' }],
  ['/de/%C3%BCber', { type: 'page', path: '/de/%C3%BCber' }],
  ['/de/%c3%bcber', redirect('/de/%C3%BCber')],
  ['/a/', redirect('/a')],
  ['//a//b/?q=1', redirect('/a/b', '?q=1')],
  ['//evil.test/', redirect('/evil.test')],
  ['/%61', redirect('/a')],
  ['/search', { type: 'page', path: '/search' }],
  ['/search?q=%20', { type: 'page', path: '/search' }],
  ['/search?q=%F0', { type: 'page', path: '/search' }],
  ['/search?q=A%20%20b', { type: 'search', path: '/search', query: { q: 'a b' } }],
  ['/de/search?q=x', { type: 'search', path: '/de/search', query: { q: 'x' } }],
  ['/a?_preview=1&q=x', { type: 'preview', path: '/a', query: { q: '' }, token: '1' }],
  [
    '/a/?_preview=t&_version=3',
    { type: 'preview', path: '/a', query: { q: '' }, token: 't', version: '3' },
  ],
  ['/search?_preview=1&q=X', { type: 'preview', path: '/search', query: { q: 'x' }, token: '1' }],
  ['/__cms/purge', { type: 'purge' }],
  ['/__cms/health?deep=1', { type: 'health' }],
  ['/__cms/settings', { type: 'not-found' }],
  ['/%5F_cms/settings', { type: 'not-found' }],
  ['//__cms/health', { type: 'not-found' }],
  ['/cmp-media/x.jpg', { type: 'not-found' }],
  ['/%63mp-media/x.jpg', { type: 'not-found' }],
  ['//cmp-media/x.jpg', { type: 'not-found' }],
  ['/cmp-media', { type: 'not-found' }],
  ['/cmp-media/x.jpg?_preview=1', { type: 'not-found' }],
  ['/a/..%2fcmp-media/x', { type: 'not-found' }],
  ['/a%00b', { type: 'not-found' }],
  ['/%ff', { type: 'not-found' }],
  ['/a%255fb', { type: 'not-found' }],
])('%s leads to %o', (path, decision) => {
  expect(decide(path)).toEqual(decision)
})

test.each([
  ['POST', HOST, '/', 'method-not-allowed'],
  ['DELETE', HOST, '/__cms/purge', 'purge'],
  ['GET', 'other.test', '/', 'misdirected'],
  ['POST', 'other.test', '/', 'misdirected'],
  ['GET', 'other.test', '/__cms/health', 'health'],
  ['GET', 'NEWS.test:8787', '/', 'page'],
  ['GET', 'news.test.', '/', 'page'],
  ['HEAD', HOST, '/', 'page'],
])('%s on %s%s is %s', (method, host, path, type) => {
  expect(decide(path, method, host).type).toBe(type)
})

describe('plain http', () => {
  test.each([
    ['http://news.test/a?x=1', { path: '/a', queryString: '?x=1' }],
    ['http://news.test//a/?x=1', { path: '/a', queryString: '?x=1' }],
    [
      'http://news.test:80/a?_preview=1',
      { path: '/a', queryString: '?_preview=1', isPreview: true },
    ],
  ])('%s is redirected to https', (url, expected) => {
    const target = { ...redirect(''), status: 308, origin: 'https://news.test', ...expected }
    expect(decideUrl(url)).toEqual(target)
    expect(decideUrl(url, 'HEAD')).toEqual(target)
  })

  test.each([
    ['POST', 'http://news.test/a', 'insecure'],
    ['GET', 'http://other.test/a', 'misdirected'],
    ['GET', 'http://news.test/__cms/health', 'health'],
    ['GET', 'http://news.test/cmp-media/x.jpg', 'not-found'],
  ])('%s %s is %s', (method, url, type) => {
    expect(decideUrl(url, method).type).toBe(type)
  })

  test.each(['localhost', 'stage.localhost', '127.0.0.1'])('is served on %s', (host) => {
    expect(decideUrl(`http://${host}:8787/a`, 'GET', host)).toEqual({ type: 'page', path: '/a' })
  })

  test('is redirected to https on a host that only starts with "localhost"', () => {
    const url = 'http://localhost.news.test/a'
    expect(decideUrl(url, 'GET', 'localhost.news.test')).toMatchObject({ status: 308 })
  })
})
