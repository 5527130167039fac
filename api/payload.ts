import type { CachedResponse } from './cache/response-cache.ts'

// Lambda quotas, "Invocation payload": a Function URL of invoke mode BUFFERED passes on no more.
const LARGEST_PAYLOAD = 6_291_556
// Status, headers and names of the fields around the body.
const RESERVED = 16 * 1024

/** Whether the JSON in which Lambda's runtime sends an answer is within the limit of a Function URL. */
export function fitsPayload(response: CachedResponse): boolean {
  // An encoded body is at most twice as long: most need no count.
  if (2 * response.length + RESERVED <= LARGEST_PAYLOAD) return true
  return toEncodedLength(response) + RESERVED <= LARGEST_PAYLOAD
}

/** Bytes of a body as a string of JSON: base64 where it is compressed, else with escapes. */
function toEncodedLength({ chunks, length, coding }: CachedResponse): number {
  if (coding) return 4 * Math.ceil(length / 3)
  // Our bodies are JSON themselves, so they hold nothing else that is escaped.
  return chunks.reduce((sum, chunk) => sum + chunk.length + countEscaped(chunk), 0)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

function countEscaped(chunk: Uint8Array): number {
  let count = 0
  for (const byte of chunk) if (byte === QUOTE || byte === BACKSLASH) count += 1
  return count
}
