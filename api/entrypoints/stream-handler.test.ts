import { PassThrough, type Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test, vi } from 'vitest'
import { createStreamHandler, type FunctionUrlEvent } from './stream-handler.ts'

// What Lambda's runtime provides: the head is written before the first byte of the body.
type Head = { statusCode: number; headers: Record<string, string> }
const heads = new WeakMap<Writable, Head>()
vi.stubGlobal('awslambda', {
  HttpResponseStream: {
    from: (stream: Writable, head: Head) => {
      heads.set(stream, head)
      return stream
    },
  },
})
afterAll(() => vi.unstubAllGlobals())

const eventBut = (event: Partial<FunctionUrlEvent>): FunctionUrlEvent => ({
  rawPath: '/public/v2/ping',
  rawQueryString: '',
  headers: { authorization: 'Bearer x' },
  requestContext: {
    domainName: 'x.lambda-url.example',
    requestId: 'request-0001',
    http: { method: 'GET' },
  },
  ...event,
})

async function invoke(event: FunctionUrlEvent, fetch: (request: Request) => Response) {
  const stream = new PassThrough()
  const [body] = await Promise.all([text(stream), createStreamHandler(fetch)(event, stream)])
  return { ...heads.get(stream), body }
}

test('an event is the request that it stands for', async () => {
  const event = eventBut({ rawPath: '/a%20b', rawQueryString: 'c=d%26e' })
  const seen: Request[] = []
  const answer = await invoke(event, (request) => {
    seen.push(request)
    return new Response('body', { status: 201, headers: { etag: '"x"' } })
  })
  expect(answer).toMatchObject({ statusCode: 201, headers: { etag: '"x"' }, body: 'body' })
  const [request] = seen
  expect([
    request?.url,
    request?.method,
    request?.headers.get('authorization'),
    request?.headers.get('x-request-id'),
  ]).toEqual(['https://x.lambda-url.example/a%20b?c=d%26e', 'GET', 'Bearer x', 'request-0001'])
})

test('a body comes piece by piece', async () => {
  const pieces = ReadableStream.from([Buffer.from('one '), Buffer.from('two')])
  expect((await invoke(eventBut({}), () => new Response(pieces))).body).toBe('one two')
})

test.each([304, 204])('%s has a head and no body', async (status) => {
  expect(await invoke(eventBut({}), () => new Response(null, { status }))).toMatchObject({
    statusCode: status,
    body: '',
  })
})

test.each<[string, Partial<FunctionUrlEvent>]>([
  ['a header that is none', { headers: { 'x-y': 'a\nb' } }],
  [
    'a method that no request can have',
    { requestContext: { ...eventBut({}).requestContext, http: { method: 'TRACE' } } },
  ],
])('%s is refused as every error is', async (_, event) => {
  const answer = await invoke(eventBut(event), () => new Response('reached'))
  expect(answer).toMatchObject({
    statusCode: 400,
    headers: { 'content-type': 'application/problem+json' },
  })
})
