const BASE = `\${CLOUDFLARE_BASE_URL:-https://api.cloudflare.com/client/v4}`

/**
 * Returns a command that calls Cloudflare's API at the address that
 * the doctor uses, with the token of the shell.
 */
export function toCurl(method: 'PATCH' | 'DELETE', path: string): string {
  return `curl -fsS -X ${method} "${BASE}${path}" -H "Authorization: Bearer $CLOUDFLARE_API_TOKEN"`
}
