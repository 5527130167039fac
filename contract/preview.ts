const MAX_LIFETIME_MS = 24 * 3600 * 1000
/** Tolerated difference between the clocks that sign and verify. */
const CLOCK_MARGIN_MS = 60_000
const TOKEN = /^(\d{13})\.([0-9a-f]{64})$/

/** Page that a preview link shows. */
export interface PreviewTarget {
  host: string
  /** Canonical path. */
  path: string
  /** Number of a stored version; undefined for the live row. */
  version: string | undefined
}

/**
 * Creates the token of a preview link: `<expiry>.<HMAC-SHA256>`, with the expiry in milliseconds since 1970.
 * @throws RangeError when `expiry` is more than 24 hours after `now`
 */
export async function signPreview(
  secret: string,
  target: PreviewTarget,
  expiry: number,
  now = Date.now(),
): Promise<string> {
  if (expiry > now + MAX_LIFETIME_MS)
    throw new RangeError('A preview link must expire within 24 hours.')
  const key = await toKey(secret, 'sign')
  const signature = await crypto.subtle.sign('HMAC', key, toMessage(target, expiry))
  return `${expiry}.${toHex(new Uint8Array(signature))}`
}

/** Whether the token is valid for this page now; the comparison takes constant time. */
export async function verifyPreview(
  secret: string,
  target: PreviewTarget,
  token: string,
  now: number,
): Promise<boolean> {
  const [, digits, hex] = TOKEN.exec(token) ?? []
  if (!digits || !hex) return false
  const expiry = Number(digits)
  if (expiry <= now || expiry > now + MAX_LIFETIME_MS + CLOCK_MARGIN_MS) return false
  const key = await toKey(secret, 'verify')
  return crypto.subtle.verify('HMAC', key, fromHex(hex), toMessage(target, expiry))
}

function toKey(secret: string, usage: 'sign' | 'verify') {
  const bytes = new TextEncoder().encode(secret)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage])
}

function toMessage(
  { host, path, version }: PreviewTarget,
  expiry: number,
): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode([host, path, version ?? '', expiry].join('\n'))
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
