import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import http from 'node:http'
import { join } from 'node:path'
import { type Bucket, openBucket } from './bucket.ts'
import { type Action, isAllowed, type Policy } from './policy.ts'
import { sendEmpty, sendError, sendList, sendObject } from './responses.ts'
import { decode, verifySignature } from './signature.ts'

export interface Credential {
  accessKeyId: string
  secretAccessKey: string
  policies: Policy[]
}

export interface Store {
  url: string
  /** Opens a bucket; creates a missing one. */
  open(bucket: string): Promise<Bucket>
  /** Adds a credential, or replaces the one with the same access key id. */
  addCredential(credential: Credential): void
  stop(): Promise<void>
}

interface StoreState {
  buckets: Map<string, Bucket>
  credentials: Map<string, Credential>
}

/**
 * Serves an object store with S3's API from a folder, on loopback; buckets are in the path. Every request
 * must be signed; a credential has only the permissions of its policies.
 */
export async function startStore(options: { folder: string; port: number }): Promise<Store> {
  const state: StoreState = { buckets: new Map(), credentials: new Map() }
  // Idle connections stay open: a request that workerd sends while its connection is closed would fail.
  const server = http.createServer({ keepAliveTimeout: 0 }, (request, response) => {
    handleRequest(state, request, response).catch((error) => response.destroy(error))
  })
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    async open(name) {
      const bucket = state.buckets.get(name) ?? (await openBucket(join(options.folder, name)))
      state.buckets.set(name, bucket)
      return bucket
    },
    addCredential: (credential) => state.credentials.set(credential.accessKeyId, credential),
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function handleRequest(
  state: StoreState,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { method = 'GET', url: target = '/' } = request
  const headers = request.headers as Record<string, string | undefined>
  const findSecret = (id: string) => state.credentials.get(id)?.secretAccessKey
  const check = verifySignature({ method, target, headers }, findSecret, new Date())
  if (check.type === 'rejected') return sendError(response, check.code, check.message)

  // `/<bucket>/<key>`, without the query.
  const [, name = '', path = ''] = /^\/([^/?]*)\/?([^?]*)/.exec(target) ?? []
  const bucket = state.buckets.get(name)
  if (!bucket) return sendError(response, 'NoSuchBucket', 'The specified bucket does not exist')
  const policies = state.credentials.get(check.accessKeyId)?.policies ?? []
  const hasPermission = (action: Action, key = '') =>
    isAllowed(policies, action, `arn:aws:s3:::${name}${key && `/${key}`}`)
  const key = path.split('/').map(decode).join('/')
  if (key === '') return handleBucketRequest({ request, response, name, bucket, hasPermission })
  return handleObjectRequest({ request, response, bucket, key, hasPermission })
}

type HasPermission = (action: Action, key?: string) => boolean

interface BucketRequest {
  request: IncomingMessage
  response: ServerResponse
  name: string
  bucket: Bucket
  hasPermission: HasPermission
}

function handleBucketRequest({ request, response, name, bucket, hasPermission }: BucketRequest) {
  if (!hasPermission('s3:ListBucket')) return sendError(response, 'AccessDenied', 'Access Denied')
  const { searchParams } = new URL(request.url ?? '/', 'http://store')
  if (request.method === 'HEAD') return sendEmpty(response, 200)
  if (request.method === 'GET' && searchParams.get('list-type') === '2') {
    return sendList(response, name, bucket, searchParams)
  }
  sendError(response, 'NotImplemented', 'A bucket supports only HEAD and ListObjectsV2.')
}

interface ObjectRequest {
  request: IncomingMessage
  response: ServerResponse
  bucket: Bucket
  key: string
  hasPermission: HasPermission
}

async function handleObjectRequest({
  request,
  response,
  bucket,
  key,
  hasPermission,
}: ObjectRequest) {
  const denied = () => sendError(response, 'AccessDenied', 'Access Denied')
  switch (request.method) {
    case 'GET':
    case 'HEAD': {
      if (!hasPermission('s3:GetObject', key)) return denied()
      const object = bucket.find(key)
      if (object) return sendObject(request, response, bucket, object)
      // S3 hides a missing key from a credential that may not list the bucket.
      if (!hasPermission('s3:ListBucket')) return denied()
      return sendError(response, 'NoSuchKey', 'The specified key does not exist.')
    }
    case 'PUT':
      return hasPermission('s3:PutObject', key)
        ? putObject(request, response, bucket, key)
        : denied()
    case 'DELETE':
      if (!hasPermission('s3:DeleteObject', key)) return denied()
      await bucket.remove(key)
      return sendEmpty(response, 204)
    default:
      return sendError(response, 'MethodNotAllowed', 'The method is not allowed on this resource.')
  }
}

async function putObject(
  request: IncomingMessage,
  response: ServerResponse,
  bucket: Bucket,
  key: string,
): Promise<void> {
  const sha256 = String(request.headers['x-amz-content-sha256'])
  if (sha256.startsWith('STREAMING-')) {
    return sendError(
      response,
      'NotImplemented',
      'A body in chunks is not supported. Send it whole.',
    )
  }
  const contentType = request.headers['content-type'] ?? 'binary/octet-stream'
  const expected = sha256 === 'UNSIGNED-PAYLOAD' ? undefined : sha256
  try {
    const { etag } = await bucket.put(key, contentType, request, expected)
    sendEmpty(response, 200, etag)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    sendError(response, 'XAmzContentSHA256Mismatch', error.message)
  }
}
