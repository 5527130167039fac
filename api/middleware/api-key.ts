import { hash, timingSafeEqual } from 'node:crypto'
import { parseBearer } from '../../http/bearer.ts'
import { ApiError } from '../problem.ts'

const CHALLENGE = 'Bearer realm="cms"'

/** Creates a check of secrets against digests (lower-case hex SHA-256), in constant time. */
export function createSecretCheck(digests: readonly string[]): (secret: string) => boolean {
  const expected = digests.map((digest) => Buffer.from(digest, 'hex'))
  return (secret) => {
    const given = hash('sha256', secret, 'buffer')
    return expected.map((digest) => timingSafeEqual(given, digest)).includes(true)
  }
}

/**
 * Creates a check of `Authorization: Bearer <key>`. For a wrong or missing key it throws ApiError unauthorized, with the
 * challenge of RFC 6750 §3.
 * @throws Error when there are no digests
 */
export function createKeyCheck(digests: readonly string[]): (header: string | undefined) => void {
  if (digests.length === 0) throw new Error('CMS_API_KEY_DIGESTS must have at least one digest.')
  const isKey = createSecretCheck(digests)
  return (header) => {
    const key = parseBearer(header)
    if (key !== undefined && isKey(key)) return
    // RFC 6750 §3.1: the challenge has no error code when the request has no credentials.
    const challenge = header === undefined ? CHALLENGE : `${CHALLENGE}, error="invalid_token"`
    throw new ApiError('unauthorized', { headers: { 'www-authenticate': challenge } })
  }
}
