import { expect, test } from 'vitest'
import { toRequestRows } from './request-rows.ts'

const toLogLine = (message: object) =>
  JSON.stringify({ timestamp: 1_795_307_984_727, level: 'info', message: JSON.stringify(message) })

const REQUEST = {
  event: 'request',
  method: 'GET',
  host: 'stage.localhost',
  path: '/',
  status: 200,
  cache: 'cms-edge; hit; ttl=30; detail=edge',
  milliseconds: 2,
}

test('a logged request becomes a row with its layer and cache status', () => {
  expect(toRequestRows([toLogLine({ ...REQUEST, api_calls: 3 })])).toEqual([
    {
      time: new Date(1_795_307_984_727),
      method: 'GET',
      host: 'stage.localhost',
      path: '/',
      status: 200,
      layer: 'edge',
      cacheStatus: 'hit',
      milliseconds: 2,
      originCalls: 3,
    },
  ])
})

test.each([
  ['cms-edge; hit; ttl=30; detail=edge', { layer: 'edge', cacheStatus: 'hit' }],
  ['cms-edge; fwd=uri-miss; stored', { layer: 'origin', cacheStatus: 'uri-miss' }],
  ['cms-edge; fwd=stale; fwd-status=200', { layer: 'origin', cacheStatus: 'stale' }],
  [null, { layer: '', cacheStatus: '' }],
])('%s is shown as %o', (cache, expected) => {
  expect(toRequestRows([toLogLine({ ...REQUEST, cache })])).toEqual([
    expect.objectContaining({ ...expected, originCalls: 0 }),
  ])
})

test('returns the newest request first and ignores other lines', () => {
  const lines = [
    toLogLine({ ...REQUEST, path: '/old' }),
    'not JSON',
    '{"a":1}',
    toLogLine({ ...REQUEST, path: '/new' }),
  ]
  expect(toRequestRows(lines).map(({ path }) => path)).toEqual(['/new', '/old'])
})
