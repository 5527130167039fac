import type { Case, Step } from '../case.ts'
import { HIT, STORED, TEXT, TEXT_MD5, toRangeStep, VALIDATORS, withRange } from './shared.ts'

/** Reads from a healthy store: whole objects and parts, conditions, methods, and missing objects. */
export const READING: Case[] = [
  {
    name: 'serves an object from the store, then from the edge cache',
    steps: [
      {
        status: 200,
        body: TEXT.body,
        storeReads: 1,
        cached: true,
        headers: {
          ...VALIDATORS,
          'accept-ranges': 'bytes',
          'access-control-allow-origin': '*',
          'cache-control': 'public, max-age=604800',
          'cache-status': STORED,
          'content-length': '10',
          'content-type': 'text/plain; charset=utf-8',
          'server-timing': /^edge;dur=[\d.]+, store;dur=[\d.]+$/,
          'x-content-type-options': 'nosniff',
        },
      },
      {
        status: 200,
        body: TEXT.body,
        storeReads: 0,
        headers: { ...VALIDATORS, 'cache-status': HIT, 'content-length': '10' },
      },
    ],
  },
  {
    name: 'ignores the query, so that all queries of a path share one entry',
    key: 'A (b)+ü.txt',
    steps: [
      { send: { path: '?v=1' }, status: 200, body: TEXT.body, storeReads: 1 },
      { send: { path: '?v=2' }, status: 200, body: TEXT.body, storeReads: 0 },
    ],
  },
  {
    name: 'responds to HEAD like GET without the body, and caches the object',
    steps: [
      {
        send: { method: 'HEAD' },
        status: 200,
        body: '',
        headers: { 'content-length': '10' },
        storeReads: 1,
        cached: true,
      },
      {
        send: { method: 'HEAD', headers: { range: 'bytes=0-3' } },
        status: 200,
        body: '',
        headers: { 'content-length': '10', 'cache-status': HIT },
      },
    ],
  },
  ...(
    [
      ['bytes=2-4', 2, 4],
      ['bytes=2-', 2, 9],
      ['bytes=-3', 7, 9],
      ['bytes=-99', 0, 9],
      ['bytes=8-99', 8, 9],
      ['bytes=0-', 0, 9],
    ] as const
  ).map(
    ([range, from, to]): Case => ({
      name: `serves ${range} on a miss and on a hit`,
      steps: [
        {
          send: withRange(range),
          ...toRangeStep(from, to, /fwd=miss; fwd-status=206/),
          cached: true,
        },
        { send: withRange(range), ...toRangeStep(from, to, HIT), storeReads: 0 },
      ],
    }),
  ),
  ...['bytes=10-', 'bytes=-0', 'bytes=99-100'].map(
    (range): Case => ({
      name: `responds 416 to ${range}, on a miss and on a hit`,
      steps: [/fwd=miss/, HIT].map((cacheStatus) => ({
        send: withRange(range),
        status: 416,
        headers: { 'content-range': 'bytes */10', 'cache-status': cacheStatus, etag: null },
      })),
    }),
  ),
  ...['bytes=0-1,4-5', 'bytes=4-2', 'bytes=x-', 'lines=1-2', 'bytes=-'].map(
    (range): Case => ({
      name: `ignores the range ${range}`,
      steps: [STORED, HIT].map((cacheStatus) => ({
        send: withRange(range),
        status: 200,
        body: TEXT.body,
        headers: { 'cache-status': cacheStatus },
      })),
    }),
  ),
  ...(
    [
      ['miss', []],
      ['hit', [{ status: 200 }]],
    ] as [string, Step[]][]
  ).map(
    ([on, before]): Case => ({
      name: `applies If-Range on a ${on}`,
      steps: [
        ...before,
        { send: withRange('bytes=1-2', { 'if-range': '"old"' }), status: 200, body: TEXT.body },
        {
          send: withRange('bytes=1-2', { 'if-range': TEXT_MD5 }),
          status: 200,
          body: TEXT.body,
        },
        {
          send: withRange('bytes=1-2', { 'if-range': `"${TEXT_MD5}"` }),
          status: 206,
          body: '12',
        },
        {
          send: withRange('bytes=99-', { 'if-range': '"old"' }),
          status: 200,
          body: TEXT.body,
        },
      ],
    }),
  ),
  ...(
    [
      ['If-None-Match', { 'if-none-match': `"x", W/"${TEXT_MD5}"` }],
      ['If-None-Match: *', { 'if-none-match': '*' }],
      ['If-Modified-Since', { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }],
      ['If-None-Match before Range', { 'if-none-match': '*', range: 'bytes=1-2' }],
      ['If-None-Match before a bad Range', { 'if-none-match': '*', range: 'bytes=99-' }],
    ] as const
  ).map(
    ([name, headers]): Case => ({
      name: `responds 304 to ${name}, on a miss and on a hit`,
      steps: [/fwd=miss/, HIT].map((cacheStatus) => ({
        send: { headers },
        status: 304,
        body: '',
        cached: true,
        headers: {
          ...VALIDATORS,
          'cache-control': 'public, max-age=604800',
          'cache-status': cacheStatus,
          'content-type': null,
        },
      })),
    }),
  ),
  {
    name: 'serves the object when it has changed since the version in the conditions',
    steps: (
      [
        ['if-none-match', '"old"'],
        ['if-modified-since', 'Sat, 01 Jan 2000 00:00:00 GMT'],
      ] as const
    ).map(([name, value]) => ({
      send: { headers: { [name]: value } },
      status: 200,
      body: TEXT.body,
    })),
  },
  {
    name: 'caches a 404 for a minute',
    object: null,
    steps: [
      {
        status: 404,
        body: 'Not found\n',
        storeReads: 1,
        cached: true,
        headers: {
          'cache-control': 'public, max-age=60',
          'cache-status': /fwd-status=404; stored$/,
        },
      },
      { status: 404, body: 'Not found\n', storeReads: 0, headers: { 'cache-status': HIT } },
      { send: withRange('bytes=0-1'), status: 404, storeReads: 0 },
      { send: { method: 'HEAD' }, status: 404, body: '', storeReads: 0 },
    ],
  },
  {
    name: 'ignores an entry of another worker',
    seeded: 'from elsewhere',
    steps: [
      { status: 200, body: TEXT.body, storeReads: 1 },
      { status: 200, body: TEXT.body, storeReads: 0 },
    ],
  },
  {
    name: 'serves an empty object',
    object: { body: '', contentType: 'image/png' },
    steps: [STORED, HIT].map((cacheStatus) => ({
      status: 200,
      body: '',
      headers: { 'content-length': '0', 'cache-status': cacheStatus },
    })),
  },
  {
    name: 'responds to a preflight without a store read',
    steps: [
      {
        send: { method: 'OPTIONS', headers: { origin: 'https://a.example' } },
        status: 204,
        body: '',
        storeReads: 0,
        headers: {
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, HEAD, OPTIONS',
          'access-control-allow-headers': /Range/,
        },
      },
    ],
  },
  ...['POST', 'PUT', 'DELETE', 'PATCH'].map(
    (method): Case => ({
      name: `responds 405 to ${method}`,
      steps: [
        {
          send: { method },
          status: 405,
          headers: { allow: 'GET, HEAD, OPTIONS' },
          storeReads: 0,
        },
      ],
    }),
  ),
]
