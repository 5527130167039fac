const MAX_LIFE_MS = 24 * 3600 * 1000
const CLOCK_MARGIN_MS = 60_000
const TOKEN = /^(\d{13})\.([0-9a-f]{64})$/

/** Target of a preview link: one canonical path of one host, at one version or live. */
export type Previewed = { host: string; path: string; version: string | undefined }

/**
 * Token of a preview link: `<expiry>.<HMAC-SHA256>`, expiry in milliseconds since 1970.
 * @throws RangeError when it would live longer than 24 hours
 */
export async function signPreview(
  secret: string,
  previewed: Previewed,
  expiry: number,
  now = Date.now(),
): Promise<string> {
  if (expiry > now + MAX_LIFE_MS) throw new RangeError('A preview link lives at most 24 hours')
  const key = await toKey(secret, 'sign')
  const signature = await crypto.subtle.sign('HMAC', key, toMessage(previewed, expiry))
  return `${expiry}.${toHex(new Uint8Array(signature))}`
}

/** Whether the token is valid for this page now; the comparison takes constant time. */
export async function verifyPreview(
  secret: string,
  previewed: Previewed,
  token: string,
  now: number,
): Promise<boolean> {
  const [, digits, hex] = TOKEN.exec(token) ?? []
  if (!digits || !hex) return false
  const expiry = Number(digits)
  if (expiry <= now || expiry > now + MAX_LIFE_MS + CLOCK_MARGIN_MS) return false
  const key = await toKey(secret, 'verify')
  return crypto.subtle.verify('HMAC', key, fromHex(hex), toMessage(previewed, expiry))
}

function toKey(secret: string, usage: 'sign' | 'verify') {
  const bytes = new TextEncoder().encode(secret)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage])
}

function toMessage({ host, path, version }: Previewed, expiry: number): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode([host, path, version ?? '', expiry].join('\n'))
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
