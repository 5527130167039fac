/**
 * Returns the cache tag of a path on a host, whose port is ignored. It is a SHA-256 in hexadecimal, because Cloudflare
 * ignores the case of tags and drops tags with spaces or characters other than ASCII
 * (https://developers.cloudflare.com/cache/how-to/purge-cache/purge-by-tags/).
 */
export async function toCacheTag(host: string, canonicalPath: string): Promise<string> {
  const hostAndPath = host.toLowerCase().replace(/:\d+$/, '') + canonicalPath
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(hostAndPath))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
