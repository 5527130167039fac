import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { toHttpDate } from '../../../http/date.ts'
import { parseRange } from '../../../http/range.ts'

/** Secret key and rights of a credential. */
export type Rights = { secret: string; read: boolean; list: boolean; write: boolean }
/** `credentials` are by access key id; a request with another id is rejected. */
export type S3Options = { bucket: string; region: string; credentials: Record<string, Rights> }
export type Handle = (request: Request) => Promise<Response>

type Stored = {
  headers: Record<string, string>
  size: number
  open: (start: number, end: number) => StoredBody
}
type StoredBody = ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>

/** Creates a double of Amazon S3's GetObject and PutObject that checks signatures and rights. */
export function createS3({ bucket, region, credentials }: S3Options) {
  const objects = new Map<string, Stored>()

  const handle: Handle = async (request) => {
    const target = parseTarget(request)
    const rights = await authenticate(request, region, credentials)
    if (rights instanceof Response) return rights
    if (target.bucket !== bucket) return toError(404, 'NoSuchBucket')
    if (request.method === 'PUT')
      return rights.write ? upload(target.key, request) : toError(403, 'AccessDenied')
    if (!rights.read) return toError(403, 'AccessDenied')
    const object = objects.get(target.key)
    // GetObject: without the right to list, S3 responds 403 to a missing key.
    if (!object) return rights.list ? toError(404, 'NoSuchKey') : toError(403, 'AccessDenied')
    return get(object, request)
  }

  async function upload(key: string, request: Request): Promise<Response> {
    const contentType = request.headers.get('content-type') ?? 'binary/octet-stream'
    const bytes = new Uint8Array(await request.arrayBuffer())
    return new Response(null, {
      headers: { ...STORE_ONLY_HEADERS, etag: put(key, bytes, { 'content-type': contentType }) },
    })
  }

  function put(key: string, bytes: Uint8Array, metadata: Record<string, string>): string {
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`
    const lastModified = toHttpDate(new Date(Date.now() - 60_000))
    const headers = { ...metadata, etag, 'last-modified': lastModified }
    objects.set(key, {
      headers,
      size: bytes.length,
      open: (start, end) => Uint8Array.from(bytes.subarray(start, end + 1)),
    })
    return etag
  }

  return {
    handle,
    put,
    /** Adds an object of any size, whose bytes are generated on each read: byte `i` is `i % 251`. */
    putGenerated(key: string, size: number, contentType: string): void {
      const headers = {
        'content-type': contentType,
        etag: `"generated-${size}"`,
        'last-modified': GENERATED_LAST_MODIFIED,
      }
      objects.set(key, { headers, size, open: generate })
    },
  }
}

const GENERATED_LAST_MODIFIED = 'Tue, 03 Nov 2026 09:00:00 GMT'
const CHUNK_BYTES = 65_536

// Headers that S3 sends and the worker must not pass on.
const STORE_ONLY_HEADERS = {
  server: 'AmazonS3',
  'x-amz-request-id': 'TX234S0F24A06C7',
  'x-amz-id-2': 'secret-host-id',
  'x-amz-version-id': '3HL4kqtJvjVBH40Nrjfkd',
  'set-cookie': 'store=1',
}

function get({ headers, size, open }: Stored, request: Request): Response {
  const range = parseRange(request.headers.get('range'), size)
  const common = { ...STORE_ONLY_HEADERS, ...headers, 'accept-ranges': 'bytes' }
  if (range.type === 'unsatisfiable') {
    return toError(416, 'InvalidRange', { 'content-range': `bytes */${size}` })
  }
  const isPart = range.type === 'range'
  const { start, end } = isPart ? range : { start: 0, end: size - 1 }
  const length = { 'content-length': String(end - start + 1) }
  const extent = isPart ? { ...length, 'content-range': `bytes ${start}-${end}/${size}` } : length
  const body = request.method === 'HEAD' ? null : open(start, end)
  return new Response(body, { status: isPart ? 206 : 200, headers: { ...common, ...extent } })
}

function parseTarget(request: Request): { bucket: string; key: string } {
  const { pathname, host: urlHost } = new URL(request.url)
  const host = request.headers.get('host') ?? urlHost
  const [bucketInHost] = /^[^.]+(?=\.s3\.)/.exec(host) ?? []
  const segments = pathname.slice(1).split('/').map(decodeURIComponent)
  const bucket = bucketInHost ?? segments.shift() ?? ''
  return { bucket, key: segments.join('/') }
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/

async function authenticate(
  request: Request,
  region: string,
  credentials: S3Options['credentials'],
): Promise<Rights | Response> {
  const match = AUTHORIZATION.exec(request.headers.get('authorization') ?? '')
  if (!match) return toError(403, 'AccessDenied')
  const [, accessKeyId = '', day = '', signedRegion = '', signedNames = '', signature] = match
  const rights = credentials[accessKeyId]
  const datetime = request.headers.get('x-amz-date') ?? ''
  if (!rights) return toError(403, 'InvalidAccessKeyId')
  if (signedRegion !== region) return toError(400, 'AuthorizationHeaderMalformed')
  if (!datetime.startsWith(day) || isSkewed(datetime)) return toError(403, 'RequestTimeTooSkewed')
  const url = new URL(request.url)
  url.host = request.headers.get('host') ?? url.host
  const names = signedNames.split(';').filter((name) => name !== 'host')
  const headers = Object.fromEntries(names.map((name) => [name, request.headers.get(name) ?? '']))
  const signer = new AwsV4Signer({
    method: request.method,
    url: url.href,
    headers,
    accessKeyId,
    secretAccessKey: rights.secret,
    service: 's3',
    region,
    datetime,
    allHeaders: true,
  })
  return (await signer.signature()) === signature ? rights : toError(403, 'SignatureDoesNotMatch')
}

// S3 rejects a signature whose time differs by more than 15 minutes from its clock.
function isSkewed(datetime: string): boolean {
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(datetime) ?? []
  const signedAt = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`)
  return !(Math.abs(Date.now() - signedAt) <= 15 * 60_000)
}

function toError(status: number, code: string, headers: Record<string, string> = {}): Response {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>details from the store</Message><RequestId>TX234S0F24A06C7</RequestId></Error>`
  return new Response(xml, {
    status,
    headers: { ...STORE_ONLY_HEADERS, 'content-type': 'application/xml', ...headers },
  })
}

function generate(start: number, end: number): ReadableStream<Uint8Array> {
  let position = start
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const length = Math.min(CHUNK_BYTES, end - position + 1)
      if (length > 0) controller.enqueue(generatedBytes(position, position + length - 1))
      position += length
      if (position > end) controller.close()
    },
  })
}

const PATTERN = Uint8Array.from({ length: CHUNK_BYTES + 251 }, (_, i) => i % 251)

/** Returns bytes `start` to `end` (inclusive) of a generated object, at most 65,536. */
export function generatedBytes(start: number, end: number): Uint8Array<ArrayBuffer> {
  return PATTERN.slice(start % 251, (start % 251) + end - start + 1)
}
