import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Policy } from './policy.ts'
import { type Store, startStore } from './server.ts'

const folder = join(tmpdir(), `cms-edge-store-${randomUUID()}`)
const picture = randomBytes(100_000)
let store: Store

const allow = (...Action: string[]) =>
  Policy.parse({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action,
        Resource: ['arn:aws:s3:::media', 'arn:aws:s3:::media/*'],
      },
    ],
  })

const lister = { accessKeyId: 'AKIALISTER', secretAccessKey: 'a'.repeat(40) }
const objectReader = { accessKeyId: 'AKIAOBJECTS', secretAccessKey: 'b'.repeat(40) }
const editor = { accessKeyId: 'AKIAEDITOR', secretAccessKey: 'c'.repeat(40) }

beforeAll(async () => {
  store = await startStore({ folder, port: 0 })
  store.addCredential({ ...lister, policies: [allow('s3:GetObject', 's3:ListBucket')] })
  store.addCredential({ ...objectReader, policies: [allow('s3:GetObject')] })
  store.addCredential({ ...editor, policies: [allow('s3:*')] })
  await store.open('other')
  const bucket = await store.open('media')
  await bucket.put('a/picture 1+ü.jpg', 'image/jpeg', toBody(picture))
  await bucket.put('empty', 'text/plain', toBody(new Uint8Array()))
})

afterAll(async () => {
  await store.stop()
  await rm(folder, { recursive: true, force: true })
})

const PICTURE = '/media/a/picture%201%2B%C3%BC.jpg'

describe('authorization', () => {
  it.each([
    ['reads an object', lister, 'GET', PICTURE, 200],
    ['reads the headers of an object', lister, 'HEAD', PICTURE, 200],
    ['with s3:ListBucket gets 404 for a missing object', lister, 'GET', '/media/none', 404],
    ['lists a bucket', lister, 'GET', '/media?list-type=2', 200],
    ['cannot write', lister, 'PUT', '/media/new', 403],
    ['cannot delete', lister, 'DELETE', PICTURE, 403],
    ['cannot read another bucket', lister, 'GET', '/other/none', 403],
    ['cannot list another bucket', lister, 'GET', '/other?list-type=2', 403],
    [
      'without s3:ListBucket gets 403 for a missing object',
      objectReader,
      'GET',
      '/media/none',
      403,
    ],
    ['without s3:ListBucket cannot list', objectReader, 'GET', '/media?list-type=2', 403],
    ['gets 404 for a missing bucket', lister, 'GET', '/nowhere/none', 404],
    ['with a wrong secret is rejected', { ...lister, secretAccessKey: 'x' }, 'GET', PICTURE, 403],
    [
      'with an unknown access key is rejected',
      { ...lister, accessKeyId: 'AKIANOBODY' },
      'GET',
      PICTURE,
      403,
    ],
  ])('a credential %s', async (_, credential, method, path, status) => {
    expect((await fetchSigned(credential, path, { method })).status).toBe(status)
  })

  it('rejects a request without a signature', async () => {
    const response = await fetch(store.url + PICTURE)
    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringContaining('<Code>AccessDenied</Code>'),
    ])
  })

  it('rejects the signature of another path, and an old one', async () => {
    const client = new AwsClient({ ...lister, service: 's3', region: 'eu-central-1' })
    const { headers } = await client.sign(store.url + PICTURE)
    expect((await fetch(`${store.url}/media/empty`, { headers })).status).toBe(403)
    const aws = { datetime: '20200101T000000Z' }
    expect(await (await client.fetch(store.url + PICTURE, { aws })).text()).toContain(
      'RequestTimeTooSkewed',
    )
  })
})

describe('reading', () => {
  it.each([
    ['the whole object', {}, 200, [0, 100_000]],
    ['the first bytes', { range: 'bytes=0-9' }, 206, [0, 10]],
    ['the last bytes', { range: 'bytes=-10' }, 206, [99_990, 100_000]],
    ['a range without an end', { range: 'bytes=99990-' }, 206, [99_990, 100_000]],
    ['a range that ends after the object', { range: 'bytes=99999-200000' }, 206, [99_999, 100_000]],
    ['the whole object for several ranges', { range: 'bytes=0-1,4-5' }, 200, [0, 100_000]],
  ])('serves %s', async (_, headers, status, [from, to]) => {
    const response = await fetchSigned(lister, PICTURE, { headers })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('image/jpeg')
    expect(Buffer.from(await response.arrayBuffer())).toEqual(picture.subarray(from, to))
  })

  it('responds with 416 to a range past the end', async () => {
    const response = await fetchSigned(lister, PICTURE, { headers: { range: 'bytes=100000-' } })
    expect([response.status, response.headers.get('content-range')]).toEqual([
      416,
      'bytes */100000',
    ])
  })

  it('responds with 304 to a matching If-None-Match', async () => {
    const { headers } = await fetchSigned(lister, PICTURE)
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await fetchSigned(lister, PICTURE, { headers: known })).status).toBe(304)
  })

  it('serves an empty object', async () => {
    const response = await fetchSigned(lister, '/media/empty')
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})

describe('writing', () => {
  it('stores objects, lists them in pages and deletes them', async () => {
    for (const key of ['p/1', 'p/2', 'p/3']) {
      await fetchSigned(editor, `/media/${key}`, { method: 'PUT', body: key })
    }
    const first = await (
      await fetchSigned(editor, '/media?list-type=2&prefix=p/&max-keys=2')
    ).text()
    expect(first.match(/<Key>[^<]+/g)).toEqual(['<Key>p/1', '<Key>p/2'])
    const token = /<NextContinuationToken>([^<]+)/.exec(first)?.[1]
    const rest = `/media?list-type=2&prefix=p/&continuation-token=${token}`
    expect((await (await fetchSigned(editor, rest)).text()).match(/<Key>[^<]+/g)).toEqual([
      '<Key>p/3',
    ])
    expect((await fetchSigned(editor, '/media/p/1', { method: 'DELETE' })).status).toBe(204)
    expect((await fetchSigned(editor, '/media/p/1')).status).toBe(404)
  })

  it('stores nothing when the body does not match its SHA-256', async () => {
    const headers = { 'x-amz-content-sha256': '0'.repeat(64) }
    const response = await fetchSigned(editor, '/media/forged', {
      method: 'PUT',
      body: 'x',
      headers,
    })
    expect([response.status, (await fetchSigned(editor, '/media/forged')).status]).toEqual([
      400, 404,
    ])
  })

  it('keeps its objects for the next start', async () => {
    const restarted = await startStore({ folder, port: 0 })
    const found = (await restarted.open('media')).find('a/picture 1+ü.jpg')
    expect(found?.size).toBe(100_000)
    await restarted.stop()
  })
})

function fetchSigned(
  credential: { accessKeyId: string; secretAccessKey: string },
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const client = new AwsClient({ ...credential, service: 's3', region: 'eu-central-1', retries: 0 })
  return client.fetch(store.url + path, init)
}

async function* toBody(bytes: Uint8Array) {
  yield bytes
}
