import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { encodeUnreserved } from '../../../http/path.ts'

/** A request as it came over the wire: names of headers in lower case, `target` = path and query. */
export interface SignedRequest {
  method: string
  target: string
  headers: Record<string, string | undefined>
}

export type Verdict =
  | { type: 'verified'; accessKeyId: string }
  | { type: 'refused'; code: Refusal; message: string }

type Refusal =
  | 'AccessDenied'
  | 'AuthorizationHeaderMalformed'
  | 'InvalidAccessKeyId'
  | 'RequestTimeTooSkewed'
  | 'SignatureDoesNotMatch'

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/
const MAX_SKEW_MS = 15 * 60_000

/**
 * Checks a header-signed request by AWS Signature Version 4 (the docs of Amazon S3, «Authenticating
 * requests: using the Authorization header»). A request without a signature is refused.
 */
export function verifySignature(
  request: SignedRequest,
  findSecret: (accessKeyId: string) => string | undefined,
  now: Date,
): Verdict {
  const { authorization, 'x-amz-date': instant = '' } = request.headers
  if (authorization === undefined) return refuse('AccessDenied', 'Access Denied')
  const [, accessKeyId = '', day = '', region = '', names = '', signature = ''] =
    AUTHORIZATION.exec(authorization) ?? []
  const signed = names.split(';')
  if (signature === '' || !instant.startsWith(day) || !coversAll(request, signed)) {
    return refuse('AuthorizationHeaderMalformed', 'The authorization header is malformed.')
  }
  const secret = findSecret(accessKeyId)
  if (secret === undefined) {
    return refuse('InvalidAccessKeyId', 'The access key ID does not exist in our records.')
  }
  if (!(Math.abs(parseInstant(instant) - now.getTime()) <= MAX_SKEW_MS)) {
    return refuse('RequestTimeTooSkewed', 'The request time is too far from the current time.')
  }
  const scope = `${day}/${region}/s3/aws4_request`
  const canonical = sha256(toCanonicalRequest(request, signed))
  const text = ['AWS4-HMAC-SHA256', instant, scope, canonical].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'))
    ? { type: 'verified', accessKeyId }
    : refuse('SignatureDoesNotMatch', 'The request signature does not match the one provided.')
}

// S3 requires the host and every x-amz-* header of the request among those signed.
function coversAll({ headers }: SignedRequest, signed: readonly string[]): boolean {
  const required = Object.keys(headers).filter((name) => name.startsWith('x-amz-'))
  return ['host', 'x-amz-content-sha256', ...required].every((name) => signed.includes(name))
}

function toCanonicalRequest(request: SignedRequest, signed: readonly string[]): string {
  const { method, target, headers } = request
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  const lines = signed.map((name) => `${name}:${collapse(headers[name] ?? '')}\n`)
  return [
    method,
    path
      .split('/')
      .map((segment) => encodeUnreserved(decode(segment)))
      .join('/'),
    toCanonicalQuery(query),
    lines.join(''),
    signed.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n')
}

function toCanonicalQuery(query: string): string {
  const pairs = query.split('&').filter(Boolean)
  const encoded = pairs.map((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    return `${encodeUnreserved(decode(name))}=${encodeUnreserved(decode(value))}`
  })
  return encoded.toSorted().join('&')
}

/** Percent-decoding as S3 does it: a plus is a space, in paths too; malformed escapes stay. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function collapse(value: string): string {
  return value.trim().replaceAll(/ +/g, ' ')
}

function parseInstant(basic: string): number {
  return Date.parse(
    basic.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, '$1-$2-$3T$4:$5:$6Z'),
  )
}

function refuse(code: Refusal, message: string): Verdict {
  return { type: 'refused', code, message }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
