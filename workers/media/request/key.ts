import { MEDIA_SEGMENT } from '../../../contract/constants.ts'
import { parseLiteralSegments, toPath } from '../../../http/path.ts'

const encoder = new TextEncoder()

// Amazon S3 user guide, "Naming Amazon S3 objects": at most 1,024 bytes of UTF-8.
const MAX_KEY_BYTES = 1024

const STYLESHEET = /^css\/[^/]+\/[^/]+\.css$/
// A content hash before the extension: hexadecimal, with at least one digit and one letter.
const HASH = /[.-](?=[a-f]*\d)(?=\d*[a-f])([\da-f]{8,64})\.\w+$/
// Dates that look like a hash: 20261120a, 20112026b, 12dec2025, 2026feb01.
const DATE =
  /^(19|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])|^\d{4}(19|20)\d\d[a-f]*$|^\d{1,4}(dec|feb)\d{1,4}[a-f]*$/

/** Returns the decoded object key of `/cmp-media/<key>`; undefined for other paths and invalid keys. */
export function parseKey(path: string): string | undefined {
  const [prefix, ...segments] = parseLiteralSegments(path) ?? []
  if (prefix !== MEDIA_SEGMENT || segments.length === 0 || segments.includes('')) return undefined
  const key = segments.join('/')
  // A UTF-16 code unit takes at most three bytes in UTF-8, so a short key fits without being encoded.
  const fits = key.length * 3 <= MAX_KEY_BYTES || encoder.encode(key).length <= MAX_KEY_BYTES
  return fits ? key : undefined
}

/** Returns the edge-cache key of an object on a host: the URL with the canonical path and without a query. */
export function toCacheUrl(host: string, key: string): string {
  return `https://${host}${toPath([MEDIA_SEGMENT, ...key.split('/')])}`
}

/** Whether the key has a version (`css/<theme>/<version>.css`) or a hash, so that its object never changes. */
export function isVersioned(key: string): boolean {
  if (STYLESHEET.test(key)) return true
  const [, hash] = HASH.exec(key) ?? []
  return hash !== undefined && !DATE.test(hash)
}
