import type { Case, Step } from '../case.ts'
import { HIT, MIB, SLICED, STORED, withRange } from './shared.ts'

const SIZE = SLICED.body.length
const SLICE = 2 * MIB
const REPLACED = SLICED.body.replaceAll('0', 'x')

/** Requests the bytes `from` to `to` of SLICED, and expects those bytes of `body`. */
const toPartStep = (from: number, to: number, body = SLICED.body): Step => ({
  send: withRange(`bytes=${from}-${to}`),
  status: 206,
  body: body.slice(from, to + 1),
  headers: {
    'content-range': `bytes ${from}-${to}/${SIZE}`,
    'content-length': String(to - from + 1),
  },
})
const alterHeaders = (headers: Record<string, string>) => ({ type: 'altered', headers }) as const
const WEAK_TAG = alterHeaders({ etag: 'W/"weak"' })
const MULTIPART_TAG = alterHeaders({ etag: '"781e5e245d69b566979b86e28d23f2c7-5"' })
const NOT_CACHED = { 'cache-status': /detail=passed-through$/ }

/** Reads of objects over 8 MiB, which are cached in slices. */
export const SLICES: Case[] = [
  {
    name: 'caches a large object slice by slice',
    object: SLICED,
    steps: [
      { status: 200, body: SLICED.body, storeReads: 5, headers: { 'cache-status': STORED } },
      { status: 200, body: SLICED.body, storeReads: 0, headers: { 'cache-status': HIT } },
      { ...toPartStep(SLICE - 8, SIZE - 1), storeReads: 0 },
    ],
  },
  ...(
    [
      ['within a slice', 'bytes=5000000-5000100', 5_000_000, 5_000_100, 1],
      ['across two slices', 'bytes=2097000-2098000', 2_097_000, 2_098_000, 2],
      ['of exactly one slice', `bytes=${SLICE}-${2 * SLICE - 1}`, SLICE, 2 * SLICE - 1, 1],
      ['of the two bytes at a slice boundary', `bytes=${SLICE - 1}-${SLICE}`, SLICE - 1, SLICE, 2],
      ['to the end', `bytes=${SIZE - 1}-`, SIZE - 1, SIZE - 1, 1],
      ['beyond the end', `bytes=8400000-${SIZE + 5}`, 8_400_000, SIZE - 1, 1],
      ['that is a suffix, with one additional read', 'bytes=-16', SIZE - 16, SIZE - 1, 2],
    ] as const
  ).map(
    ([name, range, from, to, storeReads]): Case => ({
      name: `reads only the slices of a range ${name}`,
      object: SLICED,
      steps: [
        { ...toPartStep(from, to), send: withRange(range), storeReads, cached: true },
        { ...toPartStep(from, to), send: withRange(range), storeReads: 0 },
      ],
    }),
  ),
  {
    name: 'reads the store once for HEAD and conditional requests of a large, uncached object',
    object: SLICED,
    steps: [
      {
        send: { method: 'HEAD' },
        status: 200,
        body: '',
        storeReads: 1,
        headers: { 'content-length': String(SIZE), 'accept-ranges': 'bytes' },
      },
      { send: { headers: { 'if-none-match': '*' } }, status: 304, body: '', storeReads: 0 },
      {
        send: { headers: { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' } },
        status: 304,
        body: '',
        storeReads: 0,
      },
      {
        send: withRange('bytes=1-2', { 'if-none-match': '"old"' }),
        status: 206,
        body: '00',
        storeReads: 0,
      },
    ],
  },
  ...(
    [
      ['but within its last slice', SIZE, 1],
      ['and beyond its last slice', 12 * MIB, 2],
    ] as const
  ).map(
    ([name, first, reads]): Case => ({
      name: `responds 416 to a range beyond the end of a large object, ${name}`,
      object: SLICED,
      steps: [reads, 0].map((storeReads) => ({
        send: withRange(`bytes=${first}-`),
        status: 416,
        headers: { 'content-range': `bytes */${SIZE}` },
        storeReads,
      })),
    }),
  ),
  {
    name: 'applies If-Range to a large object',
    object: SLICED,
    steps: [
      {
        ...toPartStep(7, 9),
        fault: MULTIPART_TAG,
        send: withRange('bytes=7-9', { 'if-range': '"781e5e245d69b566979b86e28d23f2c7-5"' }),
      },
      {
        fault: MULTIPART_TAG,
        send: withRange('bytes=7-9', { 'if-range': '"old"' }),
        status: 200,
        body: SLICED.body,
      },
    ],
  },
  {
    name: 'slices an object with the tag of a multipart upload',
    object: SLICED,
    steps: [1, 0].map((storeReads) => ({
      ...toPartStep(10, 20),
      fault: MULTIPART_TAG,
      storeReads,
    })),
  },
  {
    name: 'streams a large object with a weak tag past the cache',
    object: SLICED,
    steps: [
      { ...toPartStep(10, 20), fault: WEAK_TAG, cached: false, headers: NOT_CACHED },
      { status: 200, body: SLICED.body, fault: WEAK_TAG, cached: false, headers: NOT_CACHED },
      { send: { method: 'HEAD' }, status: 200, body: '', fault: WEAK_TAG, headers: NOT_CACHED },
    ],
  },
  {
    name: 'streams a whole large object when the store ignores Range',
    object: SLICED,
    steps: [
      {
        send: withRange('bytes=10-20'),
        fault: { type: 'altered', ignoresRange: true },
        status: 200,
        body: SLICED.body,
        cached: false,
        headers: NOT_CACHED,
      },
    ],
  },
  ...['private', 'no-store, max-age=60'].map(
    (cacheControl): Case => ({
      name: `does not cache an object with Cache-Control: ${cacheControl}`,
      steps: [1, 2].map(() => ({
        fault: alterHeaders({ 'cache-control': cacheControl }),
        status: 200,
        body: '0123456789',
        cached: false,
        headers: { 'cache-control': 'no-store', ...NOT_CACHED },
      })),
    }),
  ),
  {
    name: 'does not mix two versions of a large object',
    object: SLICED,
    steps: [
      toPartStep(0, 9),
      // This slice is still served in the old version, because all its bytes are cached.
      { ...toPartStep(0, 9), replacement: REPLACED, storeReads: 0 },
      { ...toPartStep(3_000_000, 3_000_009, REPLACED), storeReads: 2 },
      { ...toPartStep(0, 9, REPLACED), storeReads: 1 },
      { status: 200, body: REPLACED, storeReads: 3 },
    ],
  },
  {
    name: 'truncates the response when a large object is replaced while it is sent',
    object: SLICED,
    steps: [
      toPartStep(0, 9),
      { status: 'broken off', replacement: REPLACED },
      { status: 200, body: REPLACED },
    ],
  },
  {
    name: 'responds 404 when a large object was deleted',
    object: SLICED,
    steps: [
      toPartStep(0, 9),
      {
        send: withRange('bytes=3000000-3000009'),
        fault: { type: 'status', status: 404, code: 'NoSuchKey' },
        status: 404,
      },
    ],
  },
  {
    name: 'truncates the response when the store breaks off or stalls within a slice, then reads it again',
    object: SLICED,
    steps: [
      {
        send: withRange('bytes=0-1999999'),
        fault: { type: 'cut', after: 500_000, times: 1 },
        status: 'broken off',
      },
      { ...toPartStep(0, 1_999_999), storeReads: 1 },
      { fault: { type: 'stalled', after: 500_000, times: 1 }, status: 'broken off' },
      { status: 200, body: SLICED.body, storeReads: 4 },
    ],
  },
  {
    name: 'fails when the store fails in the first slice of a range',
    object: SLICED,
    steps: [
      toPartStep(0, 9),
      {
        send: withRange('bytes=3000000-'),
        fault: { type: 'status', status: 403, code: 'AccessDenied' },
        status: 502,
        headers: { 'retry-after': '5' },
      },
      { ...toPartStep(3_000_000, SIZE - 1), send: withRange('bytes=3000000-'), storeReads: 4 },
    ],
  },
]
