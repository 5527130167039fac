const BASE = `\${CLOUDFLARE_BASE_URL:-https://api.cloudflare.com/client/v4}`

/** A command that calls Cloudflare's API where the doctor called it, with the token of the shell. */
export function toCurl(method: 'PATCH' | 'DELETE', path: string): string {
  return `curl -fsS -X ${method} "${BASE}${path}" -H "Authorization: Bearer $CLOUDFLARE_API_TOKEN"`
}
