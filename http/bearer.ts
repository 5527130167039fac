const encoder = new TextEncoder()

/** The token of `Authorization: Bearer <token>`; undefined for anything else. */
export function parseBearer(header: string | null | undefined): string | undefined {
  // RFC 9110 §11.1: the scheme is case-insensitive, one or more spaces follow.
  return /^bearer +([\x21-\x7e]+)$/i.exec(header?.trim() ?? '')?.[1]
}

/** SHA-256 of the text's UTF-8, in lower-case hex. */
export async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether the secret has one of the digests (lower-case hex SHA-256); its time tells nothing. */
export async function matchesDigest(secret: string, digests: readonly string[]): Promise<boolean> {
  const given = await sha256Hex(secret)
  let found = 0
  for (const digest of digests) found |= isSame(given, digest)
  return found === 1
}

function isSame(given: string, expected: string): 0 | 1 {
  let difference = given.length ^ expected.length
  for (let i = 0; i < given.length; i++) difference |= given.charCodeAt(i) ^ expected.charCodeAt(i)
  return difference === 0 ? 1 : 0
}
