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

const may = (...Action: string[]) =>
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

const reader = { accessKeyId: 'AKIAREADER', secretAccessKey: 'a'.repeat(40) }
const blind = { accessKeyId: 'AKIABLIND', secretAccessKey: 'b'.repeat(40) }
const editor = { accessKeyId: 'AKIAEDITOR', secretAccessKey: 'c'.repeat(40) }

beforeAll(async () => {
  store = await startStore({ folder, port: 0 })
  store.admit({ ...reader, policies: [may('s3:GetObject', 's3:ListBucket')] })
  store.admit({ ...blind, policies: [may('s3:GetObject')] })
  store.admit({ ...editor, policies: [may('s3:*')] })
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
    ['reads an object', reader, 'GET', PICTURE, 200],
    ['heads an object', reader, 'HEAD', PICTURE, 200],
    ['is told what is missing', reader, 'GET', '/media/none', 404],
    ['lists', reader, 'GET', '/media?list-type=2', 200],
    ['writes nothing', reader, 'PUT', '/media/new', 403],
    ['deletes nothing', reader, 'DELETE', PICTURE, 403],
    ['reads no other bucket', reader, 'GET', '/other/none', 403],
    ['lists no other bucket', reader, 'GET', '/other?list-type=2', 403],
    ['is not told what is missing', blind, 'GET', '/media/none', 403],
    ['does not list', blind, 'GET', '/media?list-type=2', 403],
    ['finds no such bucket', reader, 'GET', '/nowhere/none', 404],
    ['has a wrong secret', { ...reader, secretAccessKey: 'x' }, 'GET', PICTURE, 403],
    ['has an unknown key', { ...reader, accessKeyId: 'AKIANOBODY' }, 'GET', PICTURE, 403],
  ])('a credential %s', async (_, credential, method, path, status) => {
    expect((await signed(credential, path, { method })).status).toBe(status)
  })

  it('rejects a request without a signature', async () => {
    const response = await fetch(store.url + PICTURE)
    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringContaining('<Code>AccessDenied</Code>'),
    ])
  })

  it('refuses a signature of another path, and one of yesterday', async () => {
    const client = new AwsClient({ ...reader, service: 's3', region: 'eu-central-1' })
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
    ['the whole', {}, 200, [0, 100_000]],
    ['the first bytes', { range: 'bytes=0-9' }, 206, [0, 10]],
    ['the last bytes', { range: 'bytes=-10' }, 206, [99_990, 100_000]],
    ['an open end', { range: 'bytes=99990-' }, 206, [99_990, 100_000]],
    ['past the end', { range: 'bytes=99999-200000' }, 206, [99_999, 100_000]],
    ['several ranges as the whole', { range: 'bytes=0-1,4-5' }, 200, [0, 100_000]],
  ])('answers %s', async (_, headers, status, [from, to]) => {
    const response = await signed(reader, PICTURE, { headers })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('image/jpeg')
    expect(Buffer.from(await response.arrayBuffer())).toEqual(picture.subarray(from, to))
  })

  it('refuses a range past the end', async () => {
    const response = await signed(reader, PICTURE, { headers: { range: 'bytes=100000-' } })
    expect([response.status, response.headers.get('content-range')]).toEqual([
      416,
      'bytes */100000',
    ])
  })

  it('responds with 304 to a matching If-None-Match', async () => {
    const { headers } = await signed(reader, PICTURE)
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await signed(reader, PICTURE, { headers: known })).status).toBe(304)
  })

  it('serves an empty object', async () => {
    const response = await signed(reader, '/media/empty')
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})

describe('writing', () => {
  it('stores, lists in pages and deletes', async () => {
    for (const key of ['p/1', 'p/2', 'p/3']) {
      await signed(editor, `/media/${key}`, { method: 'PUT', body: key })
    }
    const first = await (await signed(editor, '/media?list-type=2&prefix=p/&max-keys=2')).text()
    expect(first.match(/<Key>[^<]+/g)).toEqual(['<Key>p/1', '<Key>p/2'])
    const token = /<NextContinuationToken>([^<]+)/.exec(first)?.[1]
    const rest = `/media?list-type=2&prefix=p/&continuation-token=${token}`
    expect((await (await signed(editor, rest)).text()).match(/<Key>[^<]+/g)).toEqual(['<Key>p/3'])
    expect((await signed(editor, '/media/p/1', { method: 'DELETE' })).status).toBe(204)
    expect((await signed(editor, '/media/p/1')).status).toBe(404)
  })

  it('stores nothing when the body is not the one signed', async () => {
    const headers = { 'x-amz-content-sha256': '0'.repeat(64) }
    const response = await signed(editor, '/media/forged', { method: 'PUT', body: 'x', headers })
    expect([response.status, (await signed(editor, '/media/forged')).status]).toEqual([400, 404])
  })

  it('keeps its objects for the next start', async () => {
    const again = await startStore({ folder, port: 0 })
    const found = (await again.open('media')).find('a/picture 1+ü.jpg')
    expect(found?.size).toBe(100_000)
    await again.stop()
  })
})

function signed(
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
