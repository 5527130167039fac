import { expect, test } from 'vitest'
import { decideConditional, readConditions } from './conditional.ts'

const etag = '"v1"'
const lastModified = new Date('2026-11-20T10:00:00.900Z')
const same = 'Fri, 20 Nov 2026 10:00:00 GMT'
const older = 'Fri, 20 Nov 2026 09:59:59 GMT'

test.each([
  ['GET', {}, 'serve'],
  ['GET', { 'if-none-match': '"v1"' }, 'not-modified'],
  ['HEAD', { 'if-none-match': 'W/"v1"' }, 'not-modified'],
  ['POST', { 'if-none-match': '"v1"' }, 'serve'],
  ['GET', { 'if-none-match': '*' }, 'not-modified'],
  ['GET', { 'if-modified-since': same }, 'not-modified'],
  ['GET', { 'if-modified-since': older }, 'serve'],
  ['GET', { 'if-modified-since': 'soon' }, 'serve'],
  ['GET', { 'if-none-match': '"v0"', 'if-modified-since': same }, 'serve'],
  ['GET', { 'if-none-match': '', 'if-modified-since': same }, 'serve'],
  ['GET', { 'if-none-match': '"v1"', 'if-modified-since': older }, 'not-modified'],
] as const)('the decision for %s with %j is %s', (method, headers, expected) => {
  const request = { method, ...readConditions(new Headers(headers)), etag, lastModified }
  expect(decideConditional(request)).toBe(expected)
})

test('a representation without validators is served', () => {
  const request = { method: 'GET', ifNoneMatch: null, ifModifiedSince: same }
  expect(decideConditional(request)).toBe('serve')
})
