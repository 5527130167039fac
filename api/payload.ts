import type { CachedResponse } from './cache/response-cache.ts'

// Lambda quotas, "Invocation payload": limit of a Function URL of invoke mode BUFFERED.
const MAX_PAYLOAD_BYTES = 6_291_556
// Upper limit for the JSON around the body: status, headers and field names.
const ENVELOPE_BYTES = 16 * 1024

/** Whether a response, as the JSON that Lambda's runtime sends, is within the limit of a Function URL. */
export function fitsPayload(response: CachedResponse): boolean {
  // Escapes at most double the length, so short bodies need no count.
  if (2 * response.length + ENVELOPE_BYTES <= MAX_PAYLOAD_BYTES) return true
  return toEncodedLength(response) + ENVELOPE_BYTES <= MAX_PAYLOAD_BYTES
}

/** Returns the bytes of a body as a JSON string: base64 if it is compressed, otherwise with escapes. */
function toEncodedLength({ chunks, length, coding }: CachedResponse): number {
  if (coding) return 4 * Math.ceil(length / 3)
  // The body is JSON, so it contains no other characters that need escaping.
  return chunks.reduce((sum, chunk) => sum + chunk.length + countEscaped(chunk), 0)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

// Bodies may have megabytes, and a loop over indexes takes a tenth of the time of an iterator.
function countEscaped(chunk: Uint8Array): number {
  let count = 0
  for (let index = 0; index < chunk.length; index++) {
    const byte = chunk[index]
    if (byte === QUOTE || byte === BACKSLASH) count += 1
  }
  return count
}
