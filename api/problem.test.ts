import { expect, test } from 'vitest'
import { Problem } from '../contract/problem.ts'
import { ApiError, invalid, notFound, toApiError, toErrorResponse } from './problem.ts'

const withCode = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code })

test.each([
  ['a refused connection', withCode('ECONNREFUSED'), 'service_unavailable'],
  ['a shutdown by an administrator', withCode('57P01'), 'service_unavailable'],
  ['too many connections', withCode('53300'), 'service_unavailable'],
  ['a cancelled statement', withCode('57014'), 'service_unavailable'],
  [
    'a pool without a free connection',
    new Error('timeout exceeded when trying to connect'),
    'service_unavailable',
  ],
  [
    'a connection that broke',
    new Error('Connection terminated unexpectedly'),
    'service_unavailable',
  ],
  [
    'an error with such a cause',
    new Error('query failed', { cause: withCode('ECONNRESET') }),
    'service_unavailable',
  ],
  ['a wrong statement', withCode('42601'), 'internal_error'],
  ['a bug', new TypeError('x is not a function'), 'internal_error'],
  ['a string', 'oops', 'internal_error'],
  ['an ApiError', notFound('No.'), 'resource_not_found'],
])('%s is %3$s', (_, error, code) => {
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

test('a 500 reveals no internals', async () => {
  const body = await toErrorResponse(new Error('password=hunter2'), 'request-1').text()
  expect(body).not.toContain('hunter2')
})

test('a 503 has Retry-After', () => {
  const { headers, status } = toErrorResponse(withCode('ECONNREFUSED'), 'request-1')
  expect([status, headers.get('retry-after')]).toEqual([503, '5'])
})

test('an ApiError has its cause, for the log', () => {
  const cause = new Error('inside')
  expect(new ApiError('internal_error', { cause }).cause).toBe(cause)
})
