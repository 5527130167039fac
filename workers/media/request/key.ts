import { MEDIA_SEGMENT } from '../../../contract/constants.ts'
import { parseSegments, toPath } from '../../../http/path.ts'

const encoder = new TextEncoder()

// Amazon S3 user guide, "Naming Amazon S3 objects": at most 1,024 bytes of UTF-8.
const KEY_BYTES = 1024

// Stylesheets are css/<slug>/<version>.css; others bear a hash, which has digits and letters both.
const VERSIONED = [/^css\/[^/]+\/[^/]+\.css$/, /[.-](?=[a-f]*\d)(?=\d*[a-f])[\da-f]{8,64}\.\w+$/]

/** The object key of `/cmp-media/<key>`, decoded once; undefined when the path names no object. */
export function parseKey(path: string): string | undefined {
  const [prefix, ...segments] = parseSegments(path) ?? []
  if (prefix !== MEDIA_SEGMENT || segments.length === 0 || segments.includes('')) return undefined
  const key = segments.join('/')
  // No UTF-16 unit takes more than three bytes.
  const fits = key.length * 3 <= KEY_BYTES || encoder.encode(key).length <= KEY_BYTES
  return fits ? key : undefined
}

/** The one edge-cache key of an object on a host: no query, one spelling of the path. */
export function toCacheUrl(host: string, key: string): string {
  return `https://${host}${toPath([MEDIA_SEGMENT, ...key.split('/')])}`
}

/** Whether the name tells the version, so that the object under it never changes. */
export function isVersioned(key: string): boolean {
  return VERSIONED.some((pattern) => pattern.test(key))
}
