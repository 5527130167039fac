import { expect, test } from 'vitest'
import { decideRequest } from './decide.ts'

const HOST = 'news.test'
function decide(path: string, method = 'GET', host = HOST) {
  const raw = `https://${host}${path}`
  return decideRequest({ url: new URL(raw), raw, method }, HOST)
}

test.each([
  ['/', { type: 'page', path: '/' }],
  ['/a-slug', { type: 'page', path: '/a-slug' }],
  ['/a-slug?utm_source=x', { type: 'page', path: '/a-slug' }],
  ['/de/%C3%BCber', { type: 'page', path: '/de/%C3%BCber' }],
  ['/de/%c3%bcber', { type: 'redirect', location: '/de/%C3%BCber' }],
  ['/a/', { type: 'redirect', location: '/a' }],
  ['//a//b/?q=1', { type: 'redirect', location: '/a/b?q=1' }],
  ['//evil.test/', { type: 'redirect', location: '/evil.test' }],
  ['/%61', { type: 'redirect', location: '/a' }],
  ['/search', { type: 'page', path: '/search' }],
  ['/search?q=%20', { type: 'page', path: '/search' }],
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
])('%s', (path, decision) => {
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
