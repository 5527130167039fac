// `new URL` resolves `..` and `%2e%2e`, so the path is read from the unparsed URL.
const HOST_AND_PATH = /^[^:/?#]+:\/\/([^/?#@]*)([^?#]*)/

// Dot segments (also with spaces, which some object stores trim), slashes, backslashes and control characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern detects control characters
const HOSTILE = /^\s*\.{1,2}\s*$|[/\\\x00-\x1f\x7f-\x9f]/
const PERCENT_ENCODED = /%([\da-f]{2})/gi

// Fast path: segments of unreserved characters that do not begin with a dot need neither decoding nor encoding.
const PLAIN = /^[\w~-][\w.~-]*$/

/** Returns the host (with its port) and the unnormalised path of an absolute URL; `''` and `/` for any other text. */
export function parseHostAndPath(url: string): { host: string; path: string } {
  const [, host = '', path] = HOST_AND_PATH.exec(url) ?? []
  return { host: host.toLowerCase(), path: path || '/' }
}

/** Returns the unnormalised path of an absolute URL, without query. */
export function toRawPath(url: string): string {
  return parseHostAndPath(url).path
}

/**
 * Splits a path into segments and decodes each once; empty segments are kept.
 * Undefined for hostile paths: dot segments, encoded slashes, backslashes, control characters,
 * double encoding, overlong or broken UTF-8 (RFC 3986 §2.4, §3.3).
 */
export function parseSegments(path: string): string[] | undefined {
  const segments = parseLiteralSegments(path)
  return segments?.some((segment) => segment.search(PERCENT_ENCODED) >= 0) ? undefined : segments
}

/**
 * Like `parseSegments`, for names that may contain a literal `%`: `a%2541` is the name `a%41`.
 * Undefined for a double encoding of a hostile segment.
 */
export function parseLiteralSegments(path: string): string[] | undefined {
  if (!path.startsWith('/')) return undefined
  const segments = path.slice(1).split('/').map(decodeOnce)
  return segments.every((segment) => segment !== undefined) ? segments : undefined
}

/** Encodes segments as a path in canonical form (RFC 3986 §6.2.2). */
export function toPath(segments: readonly string[]): string {
  return `/${segments.map(encodeSegment).join('/')}`
}

/** Percent-encodes all but unreserved characters (RFC 3986 §2.3), as signatures of S3 require. */
export function encodeAllButUnreserved(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Returns the canonical form of a path: no empty segments, no trailing slash. Undefined for hostile paths. */
export function toCanonicalPath(path: string): string | undefined {
  const segments = parseSegments(path)
  return segments && toPath(segments.filter(Boolean))
}

/** Appends a query (`?a=1`, or empty) to a path, after the path's own query if it has one. */
export function withQuery(path: string, query: string): string {
  if (query.length < 2) return path
  const [, beforeFragment = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(path) ?? []
  const added = beforeFragment.includes('?') ? `&${query.slice(1)}` : query
  return `${beforeFragment}${added}${fragment}`
}

function decodeOnce(segment: string): string | undefined {
  if (PLAIN.test(segment)) return segment
  try {
    const decoded = decodeURIComponent(segment)
    return isHostile(decoded) || !decoded.isWellFormed() ? undefined : decoded
  } catch {
    return undefined
  }
}

function isHostile(name: string): boolean {
  if (HOSTILE.test(name)) return true
  const decoded = name.replace(PERCENT_ENCODED, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
  return decoded !== name && isHostile(decoded)
}

// RFC 3986 §3.3: sub-delims, `:` and `@` need no encoding in a segment.
function encodeSegment(segment: string): string {
  if (PLAIN.test(segment)) return segment
  return encodeURIComponent(segment).replace(/%(?:2[46BC]|3[ABD]|40)/g, decodeURIComponent)
}
