const encoder = new TextEncoder()

/** Parses the token of `Authorization: Bearer <token>`; undefined for anything else. */
export function parseBearer(header: string | null | undefined): string | undefined {
  // RFC 9110 §11.1: the scheme is case-insensitive, one or more spaces follow.
  return /^bearer +([\x21-\x7e]+)$/i.exec(header?.trim() ?? '')?.[1]
}

/** Returns the SHA-256 of the text in UTF-8, in lower-case hex. */
export async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether two secrets are equal. Compares their SHA-256 in constant time. */
export async function isSameSecret(given: string, expected: string): Promise<boolean> {
  const [one, other] = await Promise.all([sha256Hex(given), sha256Hex(expected)])
  let difference = 0
  for (let i = 0; i < one.length; i++) difference |= one.charCodeAt(i) ^ other.charCodeAt(i)
  return difference === 0
}
