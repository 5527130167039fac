import { PassThrough, type Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SettingsBundle } from '../../contract/settings.ts'
import { createFixture, type Fixture, KEY, KEY_DIGESTS } from '../tests/fixture.ts'
import { fillNewsroom } from '../tests/newsroom.ts'

let fixture: Fixture
let invoke: (path: string, key?: string) => Promise<{ status: number; body: string }>

beforeAll(async () => {
  fixture = await createFixture()
  await fillNewsroom(fixture)
  const statuses = new WeakMap<Writable, number>()
  vi.stubEnv('DATABASE_URL', fixture.url)
  vi.stubEnv('CMS_API_KEY_DIGESTS', KEY_DIGESTS.join(','))
  vi.stubEnv('LOG_LEVEL', 'silent')
  vi.stubGlobal('awslambda', {
    streamifyResponse: (handler: unknown) => handler,
    HttpResponseStream: {
      from: (stream: Writable, { statusCode }: { statusCode: number }) => {
        statuses.set(stream, statusCode)
        return stream
      },
    },
  })
  const { handler } = (await import('./lambda.ts')) as {
    handler: (event: object, stream: Writable) => Promise<void>
  }
  invoke = async (path, key = KEY) => {
    const stream = new PassThrough()
    const requestContext = {
      domainName: 'x.example',
      requestId: 'request-0001',
      http: { method: 'GET' },
    }
    const event = {
      rawPath: path,
      rawQueryString: '',
      headers: { authorization: `Bearer ${key}` },
      requestContext,
    }
    const [body] = await Promise.all([text(stream), handler(event, stream)])
    return { status: statuses.get(stream) ?? 0, body }
  }
})
afterAll(async () => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  await fixture.close()
})

test('the function answers what the server answers', async () => {
  const { status, body } = await invoke('/public/v2/sites/alpha/settings')
  expect(status).toBe(200)
  expect(SettingsBundle.parse(JSON.parse(body)).site.acronym).toBe('alpha')
})

test('in the cloud documentation and readiness need the key as everything does', async () => {
  for (const path of ['/docs', '/openapi.json', '/readyz', '/public/v2/ping', '/nothing'])
    expect([path, (await invoke(path, 'wrong')).status]).toEqual([path, 401])
  expect((await invoke('/healthz', 'wrong')).status).toBe(200)
})
