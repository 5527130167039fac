import { expect, test } from 'vitest'
import { Problem } from '../contract/problem.ts'
import { ApiError, invalid, notFound, toApiError, toErrorResponse } from './problem.ts'

const withCode = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code })

test.each([
  ['a refused connection', 'service_unavailable', withCode('ECONNREFUSED')],
  ['a shutdown by an administrator', 'service_unavailable', withCode('57P01')],
  ['too many connections', 'service_unavailable', withCode('53300')],
  ['a cancelled statement', 'service_unavailable', withCode('57014')],
  [
    'a pool without a free connection',
    'service_unavailable',
    new Error('timeout exceeded when trying to connect'),
  ],
  [
    'a connection that broke',
    'service_unavailable',
    new Error('Connection terminated unexpectedly'),
  ],
  [
    'an error caused by a broken connection',
    'service_unavailable',
    new Error('query failed', { cause: withCode('ECONNRESET') }),
  ],
  ['a wrong statement', 'internal_error', withCode('42601')],
  ['a bug', 'internal_error', new TypeError('x is not a function')],
  ['a string', 'internal_error', 'oops'],
  ['an ApiError', 'resource_not_found', notFound('No.')],
])('%s becomes the code %s', (_, code, error) => {
  expect(toApiError(error).code).toBe(code)
})

test('a problem matches the contract', async () => {
  const response = toErrorResponse(invalid('query', 'limit', 'must be at least 1'), 'request-1')
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(Problem.parse(await response.json())).toEqual({
    type: 'about:blank',
    title: 'The request is not valid',
    status: 400,
    code: 'validation_error',
    request_id: 'request-1',
    errors: [{ in: 'query', name: 'limit', message: 'must be at least 1' }],
  })
})

test('a 500 does not contain the message of its error', async () => {
  const body = await toErrorResponse(new Error('password=hunter2'), 'request-1').text()
  expect(body).not.toContain('hunter2')
})

test('a 503 has Retry-After', () => {
  const { headers, status } = toErrorResponse(withCode('ECONNREFUSED'), 'request-1')
  expect([status, headers.get('retry-after')]).toEqual([503, '5'])
})

test('an ApiError has the cause that it was created with', () => {
  const cause = new Error('inside')
  expect(new ApiError('internal_error', { cause }).cause).toBe(cause)
})
