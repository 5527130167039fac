import type { CachedResponse } from './cache/response-cache.ts'

// Lambda quotas, "Invocation payload": limit of a Function URL of invoke mode BUFFERED.
const LARGEST_PAYLOAD = 6_291_556
// Bytes for status, headers and field names around the body.
const RESERVED = 16 * 1024

/** Whether the JSON that Lambda's runtime sends for a response is within the limit of a Function URL. */
export function fitsPayload(response: CachedResponse): boolean {
  // Encoding at most doubles the length, so most bodies need no count.
  if (2 * response.length + RESERVED <= LARGEST_PAYLOAD) return true
  return toEncodedLength(response) + RESERVED <= LARGEST_PAYLOAD
}

/** Bytes of a body as a string of JSON: base64 where it is compressed, else with escapes. */
function toEncodedLength({ chunks, length, coding }: CachedResponse): number {
  if (coding) return 4 * Math.ceil(length / 3)
  // The body is JSON, so it contains no other characters that need escaping.
  return chunks.reduce((sum, chunk) => sum + chunk.length + countEscaped(chunk), 0)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

function countEscaped(chunk: Uint8Array): number {
  let count = 0
  for (const byte of chunk) if (byte === QUOTE || byte === BACKSLASH) count += 1
  return count
}
