import { expect, test } from 'vitest'
import { parseEnv } from './env.ts'

const BINDINGS = {
  WORKER_NAME: 'cms-edge-media-stage',
  WORKER_VERSION: '0123456789ab',
  MEDIA_CACHE_TTL: '604800',
  STORE_BUCKET: 'media-stage',
  STORE_REGION: 'eu-central-1',
  STORE_ACCESS_KEY_ID: 'AKIA',
  STORE_SECRET_ACCESS_KEY: 'not-to-be-shown',
}

test.each([
  [{}, 'https://media-stage.s3.eu-central-1.amazonaws.com'],
  [{ STORE_BUCKET: 'media.stage' }, 'https://s3.eu-central-1.amazonaws.com/media.stage'],
  [{ STORE_ENDPOINT: 'https://x.r2.example/' }, 'https://x.r2.example/media-stage'],
  [{ STORE_ENDPOINT: 'http://127.0.0.1:9000' }, 'http://127.0.0.1:9000/media-stage'],
  [{ STORE_ENDPOINT: 'https://{bucket}.oss.example' }, 'https://media-stage.oss.example'],
  [{ STORE_ENDPOINT: 'http://[::1]:9000' }, 'http://[::1]:9000/media-stage'],
])('with the bindings %j, the bucket is at %s', (bindings, bucketUrl) => {
  expect(parseEnv({ ...BINDINGS, ...bindings })).toEqual({
    name: 'cms-edge-media-stage',
    version: '0123456789ab',
    maxAge: 604_800,
    logSample: 1,
    store: {
      bucketUrl,
      region: 'eu-central-1',
      accessKeyId: 'AKIA',
      secretAccessKey: 'not-to-be-shown',
    },
  })
})

test.each([
  [{ STORE_BUCKET: 'No_Bucket' }, 'STORE_BUCKET: expected a bucket name'],
  [{ MEDIA_CACHE_TTL: '7 days' }, 'MEDIA_CACHE_TTL: expected whole seconds'],
  [{ STORE_ENDPOINT: 'https://x.example/bucket' }, 'STORE_ENDPOINT: expected an origin'],
  [{ STORE_ENDPOINT: 'https://x.{bucket}.example' }, 'STORE_ENDPOINT: expected an origin'],
  [{ STORE_ENDPOINT: 'ftp://x.example' }, 'STORE_ENDPOINT: expected an origin'],
  [{ STORE_ENDPOINT: 'https://user:password@x.example' }, 'STORE_ENDPOINT: expected an origin'],
  [{ STORE_ENDPOINT: 'https://:9000' }, 'STORE_ENDPOINT: expected an origin'],
  [{ STORE_SECRET_ACCESS_KEY: undefined }, 'STORE_SECRET_ACCESS_KEY: expected a secret'],
])('rejects the bindings %j', (bindings, message) => {
  expect(() => parseEnv({ ...BINDINGS, ...bindings })).toThrow(message)
})

test('names every invalid binding in one error, without its value', () => {
  const invalid = { STORE_SECRET_ACCESS_KEY: 'not to be shown', STORE_REGION: '' }
  expect(() => parseEnv({ ...BINDINGS, ...invalid })).toThrow(
    /^STORE_REGION: expected [^;]*; STORE_SECRET_ACCESS_KEY: expected a secret$/,
  )
})
