/**
 * Tag of everything cached for one path of one host: SHA-256 in hexadecimal, without the port.
 * Cloudflare compares tags without regard to case and drops those with spaces or beyond ASCII
 * (https://developers.cloudflare.com/cache/how-to/purge-cache/purge-by-tags/).
 */
export async function toCacheTag(host: string, canonicalPath: string): Promise<string> {
  const place = host.toLowerCase().replace(/:\d+$/, '') + canonicalPath
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(place))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
