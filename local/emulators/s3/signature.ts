import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { encodeAllButUnreserved } from '../../../http/path.ts'

/** A received request: header names are in lower case, `target` is the path with the query, still encoded. */
export interface SignedRequest {
  method: string
  target: string
  headers: Record<string, string | undefined>
}

export type SignatureCheck =
  | { type: 'verified'; accessKeyId: string }
  | { type: 'rejected'; code: SignatureErrorCode; message: string }

type SignatureErrorCode =
  | 'AccessDenied'
  | 'AuthorizationHeaderMalformed'
  | 'InvalidAccessKeyId'
  | 'RequestTimeTooSkewed'
  | 'SignatureDoesNotMatch'

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/
const MAX_SKEW_MS = 15 * 60_000

/**
 * Verifies AWS Signature Version 4 in the Authorization header (documentation of Amazon S3, «Authenticating
 * Requests: Using the Authorization Header»). A request without a signature is rejected.
 */
export function verifySignature(
  request: SignedRequest,
  findSecret: (accessKeyId: string) => string | undefined,
  now: Date,
): SignatureCheck {
  const { authorization, 'x-amz-date': instant = '' } = request.headers
  if (authorization === undefined) return reject('AccessDenied', 'Access Denied')
  const [, accessKeyId = '', day = '', region = '', headerNames = '', signature = ''] =
    AUTHORIZATION.exec(authorization) ?? []
  const signed = headerNames.split(';')
  if (signature === '' || !instant.startsWith(day) || !coversRequiredHeaders(request, signed)) {
    return reject('AuthorizationHeaderMalformed', 'The authorization header is malformed.')
  }
  const secret = findSecret(accessKeyId)
  if (secret === undefined) {
    return reject('InvalidAccessKeyId', 'The access key ID does not exist in our records.')
  }
  // The comparison is also false for an invalid time.
  if (!(Math.abs(parseInstant(instant) - now.getTime()) <= MAX_SKEW_MS)) {
    return reject('RequestTimeTooSkewed', 'The request time is too far from the current time.')
  }
  const scope = `${day}/${region}/s3/aws4_request`
  const canonical = sha256(toCanonicalRequest(request, signed))
  const text = ['AWS4-HMAC-SHA256', instant, scope, canonical].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'))
    ? { type: 'verified', accessKeyId }
    : reject('SignatureDoesNotMatch', 'The request signature does not match the one provided.')
}

// S3 requires the signature to cover the host and every x-amz-* header of the request.
function coversRequiredHeaders({ headers }: SignedRequest, signed: readonly string[]): boolean {
  const required = Object.keys(headers).filter((name) => name.startsWith('x-amz-'))
  return ['host', 'x-amz-content-sha256', ...required].every((name) => signed.includes(name))
}

function toCanonicalRequest(request: SignedRequest, signed: readonly string[]): string {
  const { method, target, headers } = request
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  const lines = signed.map((name) => `${name}:${collapseSpaces(headers[name] ?? '')}\n`)
  return [
    method,
    path
      .split('/')
      .map((segment) => encodeAllButUnreserved(decode(segment)))
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
    return `${encodeAllButUnreserved(decode(name))}=${encodeAllButUnreserved(decode(value))}`
  })
  return encoded.toSorted().join('&')
}

/** Percent-decodes as S3 does: a plus is a space, in paths too; text with a malformed escape is unchanged. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function collapseSpaces(value: string): string {
  return value.trim().replaceAll(/ +/g, ' ')
}

/** Returns the milliseconds of an instant such as `20260701T120000Z`; NaN when it is malformed. */
function parseInstant(basic: string): number {
  return Date.parse(
    basic.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, '$1-$2-$3T$4:$5:$6Z'),
  )
}

function reject(code: SignatureErrorCode, message: string): SignatureCheck {
  return { type: 'rejected', code, message }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
