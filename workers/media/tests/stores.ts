import { request } from 'node:http'
import { Readable } from 'node:stream'
import { AwsClient } from 'aws4fetch'
import { encodeAllButUnreserved } from '../../../http/path.ts'
import type { Credential } from './harness.ts'
import { createS3, type Handle, type Rights } from './s3.ts'

export type AccessKey = { accessKeyId: string; secretAccessKey: string }

/** A store for tests: one bucket, and credentials with different rights. */
export type TestStore = {
  bucket: string
  region: string
  credentials: Record<Credential | 'editor', AccessKey>
  handle: Handle
}

/** Creates a double of S3 with an empty bucket and all test credentials. */
export function createDouble() {
  const bucket = 'cms-edge-media-test'
  const region = 'eu-central-1'
  const s3 = createS3({ bucket, region, credentials: RIGHTS })
  const credentials = withRejected({
    editor: { accessKeyId: 'AKIAEDITOR', secretAccessKey: RIGHTS.AKIAEDITOR.secret },
    reader: { accessKeyId: 'AKIAREADER', secretAccessKey: RIGHTS.AKIAREADER.secret },
    cannotList: { accessKeyId: 'AKIACANNOTLIST', secretAccessKey: RIGHTS.AKIACANNOTLIST.secret },
  })
  return { ...s3, bucket, region, credentials } satisfies TestStore
}

/** Converts a store that listens at a URL to a test store. */
export function toTestStore(
  store: { url: string; bucket: string } & Record<'editor' | 'reader' | 'cannotList', AccessKey>,
): TestStore {
  const { url, bucket, ...valid } = store
  const credentials = withRejected(valid)
  return { bucket, region: 'eu-central-1', credentials, handle: (request) => forward(request, url) }
}

/** Signs a PUT of an object for the store at `origin`. */
export function signUpload(
  { bucket, region, credentials }: TestStore,
  origin: string,
  key: string,
  body: string,
  contentType: string,
): Promise<Request> {
  const client = new AwsClient({ ...credentials.editor, service: 's3', region })
  const path = key.split('/').map(encodeAllButUnreserved).join('/')
  const headers = { 'content-type': contentType }
  return client.sign(`${origin}/${bucket}/${path}`, { method: 'PUT', body, headers })
}

const RIGHTS = {
  AKIAEDITOR: { secret: 'e'.repeat(40), read: true, list: true, write: true },
  AKIAREADER: { secret: 'r'.repeat(40), read: true, list: true, write: false },
  AKIACANNOTLIST: { secret: 'b'.repeat(40), read: true, list: false, write: false },
} satisfies Record<string, Rights>

// Adds two credentials that a store rejects: an unknown access key id, and a reader's id with a wrong secret.
function withRejected(valid: Record<'editor' | 'reader' | 'cannotList', AccessKey>) {
  const secretAccessKey = 'x'.repeat(40)
  return {
    ...valid,
    revoked: { accessKeyId: 'AKIAREVOKED', secretAccessKey },
    wrongSecret: { ...valid.reader, secretAccessKey },
  }
}

// The signature covers the host, so a request is forwarded with the host that it was signed for.
async function forward(incoming: Request, url: string): Promise<Response> {
  const { hostname, port } = new URL(url)
  const { host, pathname, search } = new URL(incoming.url)
  const headers = { host, ...Object.fromEntries(incoming.headers) }
  const body = Buffer.from(await incoming.arrayBuffer())
  return new Promise((resolve, reject) => {
    const path = pathname + search
    const outgoing = request(
      { hostname, port, path, method: incoming.method, headers },
      (response) => {
        const status = response.statusCode ?? 0
        const responseHeaders = Object.entries(response.headers).map(
          ([name, value]) => [name, String(value)] as [string, string],
        )
        const stream = Readable.toWeb(response, { type: 'bytes' }) as ReadableStream<Uint8Array>
        resolve(new Response(status === 204 ? null : stream, { status, headers: responseHeaders }))
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
