import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import type { Fault } from './faults.ts'

/** The credential that a worker under test has; none may write. */
export type Holder = 'reader' | 'blind' | 'revoked' | 'impostor'
export type Reply = { status: number; headers: Headers; body: string }
export type Send = { method?: string; path?: string; headers?: Record<string, string> }
export type Seen = Record<string, string | RegExp | null>

/** A media worker with a store of its own behind it, wherever both of them run. */
export type Bed = {
  upload(key: string, body: string, contentType: string): Promise<void>
  send(holder: Holder, request: Send & { path: string }): Promise<Reply>
  /** Waits until the work behind the answers is done. */
  settled(): Promise<void>
  isCached(holder: Holder, path: string): Promise<boolean>
  /** Puts an entry into the edge cache as some other worker would. */
  plant(holder: Holder, path: string, body: string): Promise<void>
  setFault(fault: Fault | undefined): void
  /** Requests that the store has got so far. */
  countAsked(): number
}

/** One request, and what is expected of the answer, of the store and of the cache after it. */
type Step = {
  send?: Send
  fault?: Fault
  status: number | 'broken off'
  body?: string
  headers?: Seen
  asked?: number
  cached?: boolean
  /** The next step does not wait for the work behind this one. */
  atOnce?: boolean
}
export type Case = {
  name: string
  holder?: Holder
  key?: string
  /** What is uploaded before; null for nothing. */
  object?: { body: string; contentType: string } | null
  planted?: string
  steps: Step[]
}

const TEXT = { body: '0123456789', contentType: 'text/plain' }
// Too large to be held in memory until it is whole.
const LARGE = { body: '0123456789abcdef'.repeat(80_000), contentType: 'text/plain' }
const HIT = /; hit; ttl=\d+$/
const STORED = /; fwd=miss; fwd-status=200; stored$/
const VALIDATORS = { etag: /^"[\da-f]{32}"$/, 'last-modified': / GMT$/ }
const SLOW_DOWN = { type: 'status', status: 503, code: 'SlowDown' } as const
const FAILED: Step = { status: 502, headers: { 'cache-control': 'no-store' }, cached: false }
const UNTOLD = { 'content-length': null }
const RANGE = (range: string, headers = {}): Send => ({ headers: { range, ...headers } })

const range206 = (from: number, to: number, cacheStatus: RegExp): Step => ({
  status: 206,
  body: TEXT.body.slice(from, to + 1),
  headers: {
    'content-range': `bytes ${from}-${to}/10`,
    'content-length': String(to - from + 1),
    'accept-ranges': 'bytes',
    'cache-status': cacheStatus,
  },
})

/** What a media worker answers; the same from every store that speaks S3. */
export const CASES: Case[] = [
  {
    name: 'serves an object from the store, then from the edge',
    steps: [
      {
        status: 200,
        body: TEXT.body,
        asked: 1,
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
        asked: 0,
        headers: { ...VALIDATORS, 'cache-status': HIT, 'content-length': '10' },
      },
    ],
  },
  {
    name: 'has one entry for every query string and spelling of a path',
    key: 'A (b)+ü.txt',
    steps: [
      { send: { path: '?v=1' }, status: 200, body: TEXT.body, asked: 1 },
      { send: { path: '?v=2' }, status: 200, body: TEXT.body, asked: 0 },
    ],
  },
  {
    name: 'answers HEAD like GET without the body, and fills the edge with it',
    steps: [
      {
        send: { method: 'HEAD' },
        status: 200,
        body: '',
        headers: { 'content-length': '10' },
        asked: 1,
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
      name: `answers ${range} on a miss and on a hit`,
      steps: [
        {
          send: RANGE(range),
          ...range206(from, to, /fwd=miss; fwd-status=206/),
          cached: true,
        },
        { send: RANGE(range), ...range206(from, to, HIT), asked: 0 },
      ],
    }),
  ),
  ...['bytes=10-', 'bytes=-0', 'bytes=99-100'].map(
    (range): Case => ({
      name: `finds ${range} not satisfiable, on a miss and on a hit`,
      steps: [/fwd=miss/, HIT].map((cacheStatus) => ({
        send: RANGE(range),
        status: 416,
        headers: { 'content-range': 'bytes */10', 'cache-status': cacheStatus, etag: null },
      })),
    }),
  ),
  ...['bytes=0-1,4-5', 'bytes=4-2', 'bytes=x-', 'lines=1-2', 'bytes=-'].map(
    (range): Case => ({
      name: `ignores the range ${range}`,
      steps: [STORED, HIT].map((cacheStatus) => ({
        send: RANGE(range),
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
      name: `holds If-Range against the object on a ${on}`,
      steps: [
        ...before,
        { send: RANGE('bytes=1-2', { 'if-range': '"old"' }), status: 200, body: TEXT.body },
        {
          send: RANGE('bytes=1-2', { 'if-range': '781e5e245d69b566979b86e28d23f2c7' }),
          status: 200,
          body: TEXT.body,
        },
        {
          send: RANGE('bytes=1-2', { 'if-range': '"781e5e245d69b566979b86e28d23f2c7"' }),
          status: 206,
          body: '12',
        },
        {
          send: RANGE('bytes=99-', { 'if-range': '"old"' }),
          status: 200,
          body: TEXT.body,
        },
      ],
    }),
  ),
  ...(
    [
      ['If-None-Match', { 'if-none-match': '"x", W/"781e5e245d69b566979b86e28d23f2c7"' }],
      ['If-None-Match: *', { 'if-none-match': '*' }],
      ['If-Modified-Since', { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }],
      ['If-None-Match before Range', { 'if-none-match': '*', range: 'bytes=1-2' }],
      ['If-None-Match before a bad Range', { 'if-none-match': '*', range: 'bytes=99-' }],
    ] as const
  ).map(
    ([name, headers]): Case => ({
      name: `answers 304 to ${name}, on a miss and on a hit`,
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
    name: 'serves anew when the conditions are not met',
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
    name: 'remembers for a minute that an object is missing',
    object: null,
    steps: [
      {
        status: 404,
        body: 'Not found\n',
        asked: 1,
        cached: true,
        headers: {
          'cache-control': 'public, max-age=60',
          'cache-status': /fwd-status=404; stored$/,
        },
      },
      { status: 404, body: 'Not found\n', asked: 0, headers: { 'cache-status': HIT } },
      { send: RANGE('bytes=0-1'), status: 404, asked: 0 },
      { send: { method: 'HEAD' }, status: 404, body: '', asked: 0 },
    ],
  },
  ...(['blind', 'revoked', 'impostor'] as const).map(
    (holder): Case => ({
      name: `never takes the store's refusal of the ${holder} for a missing object`,
      holder,
      object: null,
      steps: [{ ...FAILED, body: 'The media store failed\n', asked: 1 }, FAILED],
    }),
  ),
  {
    name: 'fails on an object that is there when the credential is revoked',
    holder: 'revoked',
    steps: [FAILED, { send: RANGE('bytes=0-1'), ...FAILED }],
  },
  {
    name: 'asks again when the store is overloaded',
    steps: [{ fault: { ...SLOW_DOWN, times: 2 }, status: 200, body: TEXT.body, asked: 3 }],
  },
  {
    name: 'asks again when the connection fails',
    steps: [{ fault: { type: 'refused', times: 1 }, status: 200, body: TEXT.body, asked: 2 }],
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
      [{ type: 'status', status: 206, code: 'Nonsense' }, 1],
    ] as const
  ).map(
    ([fault, asked]): Case => ({
      name: `fails without caching it when the store answers ${Object.values(fault).join(' ')}`,
      steps: [
        { fault, ...FAILED, asked },
        { status: 200, body: TEXT.body },
      ],
    }),
  ),
  {
    name: 'gives up on a store that stays silent',
    steps: [
      {
        fault: { type: 'silent' },
        ...FAILED,
        status: 504,
        body: 'The media store did not answer in time\n',
      },
      { status: 200, body: TEXT.body },
    ],
  },
  ...([TEXT, LARGE] as const).map(
    (object): Case => ({
      name: `breaks off where the store breaks off in ${object.body.length} bytes, and caches nothing of it`,
      object,
      steps: [
        {
          fault: { type: 'cut', after: object.body.length - 6, times: 1 },
          status: 'broken off',
          cached: false,
        },
        { status: 200, body: object.body, asked: 1, headers: { 'cache-status': STORED } },
      ],
    }),
  ),
  {
    name: 'serves nothing of a large object that broke off, to those who ask at once',
    object: LARGE,
    steps: [
      {
        fault: { type: 'cut', after: LARGE.body.length - 6, times: 1 },
        status: 'broken off',
        atOnce: true,
      },
      { status: 200, body: LARGE.body, atOnce: true },
      { send: RANGE('bytes=-2'), status: 206, body: LARGE.body.slice(-2) },
    ],
  },
  ...([{}, RANGE('bytes=1-8')] as Send[]).map(
    (send): Case => ({
      name: `breaks off ${send.headers ? 'a part' : 'the whole'} when the store stalls in it`,
      steps: [
        { send, fault: { type: 'stalled', after: 4, times: 1 }, status: 'broken off' },
        { status: 200, body: TEXT.body, asked: send.headers ? 0 : 1 },
      ],
    }),
  ),
  {
    name: 'learns the length of a small object that comes without',
    steps: [
      {
        fault: { type: 'altered', headers: UNTOLD, times: 1 },
        status: 200,
        body: TEXT.body,
        cached: true,
        headers: { 'content-length': '10', 'cache-status': STORED },
      },
      { send: RANGE('bytes=2-3'), ...range206(2, 3, HIT), asked: 0 },
    ],
  },
  {
    name: 'passes on a large object that comes without a length, for nobody to keep',
    object: LARGE,
    steps: [
      {
        fault: { type: 'altered', headers: UNTOLD, times: 1 },
        status: 200,
        body: LARGE.body,
        cached: false,
        headers: {
          ...VALIDATORS,
          'cache-control': 'no-store',
          'cache-status': /fwd-status=200; detail=passed-through$/,
        },
      },
      { status: 200, body: LARGE.body, headers: { 'cache-status': STORED } },
    ],
  },
  ...(
    [
      [{ type: 'cut', after: 4 }, 502],
      [{ type: 'stalled', after: 4 }, 504],
    ] as const
  ).map(
    ([fault, status]): Case => ({
      name: `answers ${status} to a body without a length that is ${fault.type}`,
      steps: [
        { fault: { ...fault, headers: UNTOLD, times: 1 }, ...FAILED, status },
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
      name: `takes a key that cannot be (${code}) for a missing object`,
      steps: [{ fault: { type: 'status', status, code }, status: 404, cached: true }],
    }),
  ),
  ...(
    [
      ['less', 'bytes 0-9/10', '0123'],
      ['more', 'bytes 0-3/4', '0123456789'],
    ] as const
  ).map(
    ([amount, range, body]): Case => ({
      name: `caches nothing when ${amount} comes than was told`,
      steps: [
        {
          send: RANGE('bytes=0-'),
          fault: {
            type: 'altered',
            headers: { ...UNTOLD, 'content-range': range },
            body: [body],
            times: 1,
          },
          status: 'broken off',
          cached: false,
        },
        { status: 200, body: TEXT.body, asked: 1 },
      ],
    }),
  ),
  {
    name: 'takes a whole object for whole, whatever part its head tells of',
    steps: [
      {
        fault: { type: 'altered', headers: { 'content-range': 'bytes 0-3/10' }, times: 1 },
        status: 200,
        body: TEXT.body,
        headers: { 'content-range': null },
      },
      { status: 200, body: TEXT.body, asked: 0 },
    ],
  },
  ...['bytes 0-2/10', 'bytes 8-11/10', 'bytes 9-7/10', 'bytes 7-9/*', null].map(
    (range): Case => ({
      name: `reads the whole when bytes=-3 is answered by ${range}`,
      steps: [
        {
          send: RANGE('bytes=-3'),
          fault: { type: 'altered', headers: { 'content-range': range }, times: 1 },
          status: 200,
          body: TEXT.body,
          asked: 2,
          cached: true,
        },
      ],
    }),
  ),
  ...['aws-chunked', 'Identity', 'utf-8'].map(
    (coding): Case => ({
      name: `takes ${coding} for no coding`,
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
      name: `fails on ${coding}, which the platform does not decode`,
      steps: [{ fault: { type: 'altered', headers: { 'content-encoding': coding } }, ...FAILED }],
    }),
  ),
  ...(
    [
      ['a bucket is missing', ['<?xml version="1.0"?>\n', '<Code>NoSuchBucket</Code>'], 502],
      ['no store is there', ['<h1>Not found</h1>'], 502],
      ['a key is missing, in pieces', ['<Error>', '<Code>NoSuch', 'Key</Code>'], 404],
      ['nothing at all', [], 404],
    ] as [string, string[], number][]
  ).map(
    ([told, body, status]): Case => ({
      name: `answers ${status} to a 404 that tells: ${told}`,
      steps: [{ fault: { type: 'altered', status: 404, headers: UNTOLD, body }, status }],
    }),
  ),
  {
    name: 'ignores an entry that it did not write',
    planted: 'from elsewhere',
    steps: [
      { status: 200, body: TEXT.body, asked: 1 },
      { status: 200, body: TEXT.body, asked: 0 },
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
    name: 'answers a preflight without asking the store',
    steps: [
      {
        send: { method: 'OPTIONS', headers: { origin: 'https://a.example' } },
        status: 204,
        body: '',
        asked: 0,
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
      name: `refuses ${method}`,
      steps: [
        {
          send: { method },
          status: 405,
          headers: { allow: 'GET, HEAD, OPTIONS' },
          asked: 0,
        },
      ],
    }),
  ),
]

// The store's voice, and the worker's own mark on what it caches.
const SILENCED: Seen = {
  server: null,
  'set-cookie': null,
  'x-amz-id-2': null,
  'x-amz-request-id': null,
  'cms-media-stored': null,
}
const WAIT = { timeout: 5000 }
let runs = 0

/** Runs one case on a bed: what it stores is under names of its own. */
export async function runCase(bed: Bed, row: Case): Promise<void> {
  const holder = row.holder ?? 'reader'
  const key = `case-${runs++}/${row.key ?? 'object'}`
  const path = `/cmp-media/${encodeURI(key)}`
  const object = row.object === undefined ? TEXT : row.object
  if (object) await bed.upload(key, object.body, object.contentType)
  if (row.planted) await bed.plant(holder, path, row.planted)
  for (const step of row.steps) await runStep(bed, holder, path, step)
}

async function runStep(bed: Bed, holder: Holder, path: string, step: Step): Promise<void> {
  const askedBefore = bed.countAsked()
  bed.setFault(step.fault)
  const sent = bed.send(holder, { ...step.send, path: path + (step.send?.path ?? '') })
  if (step.status === 'broken off') {
    await expect(sent).rejects.toThrow()
    if (!step.atOnce) await sleep(500)
  } else expectReply(await sent, step)
  if (step.atOnce) return
  if (await sent.then(isPromised, () => false)) {
    await vi.waitUntil(() => bed.isCached(holder, path), WAIT)
  }
  await bed.settled()
  bed.setFault(undefined)
  if (step.cached !== undefined) expect(await bed.isCached(holder, path)).toBe(step.cached)
  if (step.asked !== undefined) expect(bed.countAsked() - askedBefore).toBe(step.asked)
}

function expectReply(reply: Reply, { status, body = reply.body, headers }: Step): void {
  expect(reply).toMatchObject({ status, body })
  expectHeaders(reply.headers, { ...headers, ...SILENCED })
  expect(reply.body).not.toMatch(/<Code>|store's own words/)
}

function isPromised({ headers }: Reply): boolean {
  return /; stored|fetched-behind/.test(headers.get('cache-status') ?? '')
}

function expectHeaders(headers: Headers, seen: Seen): void {
  for (const [name, value] of Object.entries(seen)) {
    const expected = value instanceof RegExp ? expect.stringMatching(value) : value
    expect({ [name]: headers.get(name) }).toEqual({ [name]: expected })
  }
}
