import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { environments } from '../../infra/environments.ts'
import { openMigrationFunction } from './migration-function.ts'

const Outcome = z.strictObject({ applied: z.array(z.string()) })
const credentials = { AWS_ACCESS_KEY_ID: 'AKIAOPERATOR', AWS_SECRET_ACCESS_KEY: 'secret' }

let server: Server | undefined

afterEach(() => server?.close())

/** Starts a stand-in for Lambda's API, whose only function responds with the listener. */
async function openFunction(listener: RequestListener) {
  server = createServer(listener)
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const env = { ...credentials, AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` }
  const { tier } = environments['site-stage']
  const bucket = { bucket: 'media', region: 'eu-central-1', endpoint: undefined }
  const backend = { type: 'aws', tier, region: 'eu-central-1', bucket, credentials: env } as const
  return openMigrationFunction(backend, env)
}

const respond =
  (body: unknown, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status).end(JSON.stringify(body))
  }

test('invokes the function of the tier with a signed event', async () => {
  const seen: unknown[] = []
  const invoke = await openFunction(async (request, response) => {
    seen.push(request.url, request.headers.authorization, JSON.parse(await text(request)))
    response.end(JSON.stringify({ applied: ['one'] }))
  })
  expect(await invoke({ action: 'migrate' }, Outcome)).toEqual({ applied: ['one'] })
  expect(seen).toEqual([
    '/2015-03-31/functions/cms-edge-migrate-stage/invocations',
    expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=AKIAOPERATOR\/\d+\/eu-central-1\/lambda\//),
    { action: 'migrate' },
  ])
})

test.each([
  ['an error of the function', respond({ errorMessage: 'no such table' }), 'no such table'],
  ['an error response of Lambda', respond({ Message: 'denied' }, 403), 'status 403'],
  ['an older function', respond({ done: true }), 'Deploy its current code'],
])('%s makes the invocation fail with the reason', async (_, listener, message) => {
  const invoke = await openFunction(listener)
  await expect(invoke({ action: 'migrate' }, Outcome)).rejects.toThrow(message)
})
