import type { Case } from '../case.ts'
import type { SentRequest } from '../harness.ts'
import {
  FAILED,
  HIT,
  LARGE,
  NO_LENGTH,
  SLOW_DOWN,
  STORED,
  TEXT,
  TWO_READS,
  toRangeStep,
  VALIDATORS,
  WHOLE_WITHOUT_LENGTH,
  WITHOUT_LENGTH_ONCE,
  withRange,
} from './shared.ts'

/** Reads from a store that fails, rejects the credential, or sends unexpected headers or bodies. */
export const STORE_FAULTS: Case[] = [
  ...(['cannotList', 'revoked', 'wrongSecret'] as const).map(
    (credential): Case => ({
      name: `fails instead of responding 404 when the store rejects the credential ${credential}`,
      credential,
      object: null,
      steps: [{ ...FAILED, body: 'The media store failed\n', storeReads: 1 }, FAILED],
    }),
  ),
  {
    name: 'fails on an existing object when the credential is revoked',
    credential: 'revoked',
    steps: [FAILED, { send: withRange('bytes=0-1'), ...FAILED }],
  },
  {
    name: 'retries when the store is overloaded',
    steps: [{ fault: { ...SLOW_DOWN, times: 2 }, status: 200, body: TEXT.body, storeReads: 3 }],
  },
  {
    name: 'retries when the connection fails',
    steps: [{ fault: { type: 'refused', times: 1 }, status: 200, body: TEXT.body, storeReads: 2 }],
  },
  ...(
    [
      [SLOW_DOWN, 3],
      [{ type: 'status', status: 500, code: 'InternalError' }, 3],
      [{ type: 'status', status: 429, code: 'TooManyRequests' }, 3],
      [{ type: 'refused' }, 3],
      [{ type: 'status', status: 404, code: 'NoSuchBucket' }, 1],
      [{ type: 'status', status: 301, code: 'PermanentRedirect' }, 1],
      [{ type: 'status', status: 400, code: 'AuthorizationHeaderMalformed' }, 1],
      [{ type: 'status', status: 403, code: 'RequestTimeTooSkewed' }, 1],
      [{ type: 'status', status: 206, code: 'Nonsense' }, 2],
    ] as const
  ).map(
    ([fault, storeReads]): Case => ({
      name: `fails and caches nothing with the fault "${Object.values(fault).join(' ')}"`,
      steps: [
        { fault, ...FAILED, storeReads },
        { status: 200, body: TEXT.body },
      ],
    }),
  ),
  {
    name: 'responds 504 when the store does not respond',
    steps: [
      {
        fault: { type: 'silent' },
        ...FAILED,
        status: 504,
        body: 'The media store did not respond in time\n',
      },
      { status: 200, body: TEXT.body },
    ],
  },
  ...([TEXT, LARGE] as const).map(
    (object): Case => ({
      name: `truncates the response where the store truncates ${object.body.length} bytes, and caches nothing`,
      object,
      steps: [
        {
          fault: { type: 'cut', after: object.body.length - 6, times: 1 },
          status: 'broken off',
          cached: false,
        },
        { status: 200, body: object.body, storeReads: 1, headers: { 'cache-status': STORED } },
      ],
    }),
  ),
  {
    name: 'sends no bytes of a truncated load to the next request',
    object: LARGE,
    steps: [
      {
        fault: { type: 'cut', after: LARGE.body.length - 6, times: 1 },
        status: 'broken off',
        skipsWaiting: true,
      },
      { status: 200, body: LARGE.body, skipsWaiting: true },
      { send: withRange('bytes=-2'), status: 206, body: LARGE.body.slice(-2) },
    ],
  },
  ...([{}, withRange('bytes=1-8')] as SentRequest[]).map(
    (send): Case => ({
      name: `truncates ${send.headers ? 'a part' : 'the whole object'} when the store stalls, and caches nothing`,
      steps: [
        {
          send,
          fault: { type: 'stalled', after: 4, times: 1 },
          status: 'broken off',
          cached: false,
        },
        { status: 200, body: TEXT.body, storeReads: 1 },
      ],
    }),
  ),
  {
    name: 'measures and caches a small object without Content-Length',
    steps: [
      {
        fault: WITHOUT_LENGTH_ONCE,
        status: 200,
        body: TEXT.body,
        cached: true,
        headers: { 'content-length': '10', 'cache-status': STORED },
      },
      { send: withRange('bytes=2-3'), ...toRangeStep(2, 3, HIT), storeReads: 0 },
    ],
  },
  {
    name: 'streams an object without Content-Length that exceeds a slice, and caches nothing',
    object: TWO_READS,
    steps: [
      {
        fault: { ...WITHOUT_LENGTH_ONCE, times: 2 },
        status: 200,
        body: TWO_READS.body,
        cached: false,
        headers: {
          ...VALIDATORS,
          'cache-control': 'no-store',
          'cache-status': /fwd-status=200; detail=passed-through$/,
        },
      },
      { status: 200, body: TWO_READS.body, headers: { 'cache-status': STORED } },
    ],
  },
  ...(
    [
      [{ type: 'cut', after: 4 }, 502],
      [{ type: 'stalled', after: 4 }, 504],
    ] as const
  ).map(
    ([fault, status]): Case => ({
      name: `responds ${status} to a body without Content-Length that is ${fault.type}`,
      steps: [
        { fault: { ...fault, ...WHOLE_WITHOUT_LENGTH, times: 1 }, ...FAILED, status },
        { status: 200, body: TEXT.body, headers: { 'cache-status': STORED } },
      ],
    }),
  ),
  ...(
    [
      [400, 'KeyTooLongError'],
      [400, 'XMinioInvalidObjectName'],
    ] as const
  ).map(
    ([status, code]): Case => ({
      name: `responds 404 to a key that the store cannot have (${code})`,
      steps: [{ fault: { type: 'status', status, code }, status: 404, cached: true }],
    }),
  ),
  ...(
    [
      ['fewer', 'bytes 0-9/10', '0123'],
      ['more', 'bytes 0-3/4', '0123456789'],
    ] as const
  ).map(
    ([amount, range, body]): Case => ({
      name: `caches nothing when the store sends ${amount} bytes than its Content-Range states`,
      steps: [
        {
          send: withRange('bytes=0-'),
          fault: {
            type: 'altered',
            headers: { ...NO_LENGTH, 'content-range': range },
            body: [body],
            times: 1,
          },
          status: 'broken off',
          cached: false,
        },
        { status: 200, body: TEXT.body, storeReads: 1 },
      ],
    }),
  ),
  {
    name: 'serves a 200 as the whole object despite a Content-Range',
    steps: [
      {
        fault: { type: 'altered', headers: { 'content-range': 'bytes 0-3/10' }, times: 1 },
        status: 200,
        body: TEXT.body,
        headers: { 'content-range': null },
      },
      { status: 200, body: TEXT.body, storeReads: 0 },
    ],
  },
  ...['bytes 0-2/10', 'bytes 8-11/10', 'bytes 9-7/10', 'bytes 7-9/*', null].map(
    (range): Case => ({
      name: `reads the whole object when the first response has Content-Range ${range}`,
      steps: [
        {
          send: withRange('bytes=-3'),
          fault: { type: 'altered', headers: { 'content-range': range }, times: 1 },
          status: 206,
          body: '789',
          storeReads: 2,
          cached: true,
        },
      ],
    }),
  ),
  ...['aws-chunked', 'Identity', 'utf-8'].map(
    (coding): Case => ({
      name: `ignores the Content-Encoding ${coding}`,
      steps: [
        {
          fault: { type: 'altered', headers: { 'content-encoding': coding }, times: 1 },
          status: 200,
          body: TEXT.body,
          cached: true,
          headers: { 'content-length': '10', 'content-encoding': null },
        },
      ],
    }),
  ),
  ...['zstd', 'deflate', 'aws-chunked,gzip'].map(
    (coding): Case => ({
      name: `fails on the Content-Encoding ${coding}, which the platform does not decode`,
      steps: [{ fault: { type: 'altered', headers: { 'content-encoding': coding } }, ...FAILED }],
    }),
  ),
  ...(
    [
      ['a missing bucket', ['<?xml version="1.0"?>\n', '<Code>NoSuchBucket</Code>'], 502],
      ['another server', ['<h1>Not found</h1>'], 502],
      ['a missing key, in chunks', ['<Error>', '<Code>NoSuch', 'Key</Code>'], 404],
      ['an empty body', [], 404],
    ] as [string, string[], number][]
  ).map(
    ([meaning, body, status]): Case => ({
      name: `responds ${status} to a 404 of the store: ${meaning}`,
      steps: [{ fault: { type: 'altered', status: 404, headers: NO_LENGTH, body }, status }],
    }),
  ),
]
