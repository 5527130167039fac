import { expect, test } from 'vitest'
import { toProblemResponse } from './problem.ts'

test('a problem response is not cached, whatever Cache-Control it is given', async () => {
  const problem = { title: 'Unauthorized', status: 401, code: 'unauthorized' }
  const headers = { 'www-authenticate': 'Bearer', 'cache-control': 'public' }
  const response = toProblemResponse(problem, headers)
  expect(response.status).toBe(401)
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'no-store',
    'content-type': 'application/problem+json',
    'www-authenticate': 'Bearer',
    'x-content-type-options': 'nosniff',
  })
  expect(await response.json()).toEqual({ type: 'about:blank', ...problem })
})
