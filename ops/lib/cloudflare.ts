/** Sends a request to a path of Cloudflare's API v4 (developers.cloudflare.com/api). */
export type CloudflareApi = (path: string, init?: RequestInit) => Promise<Response>

const TIMEOUT_MS = 30_000

/**
 * Creates a client for Cloudflare's API with `CLOUDFLARE_API_TOKEN`. `CLOUDFLARE_BASE_URL` replaces its
 * address, for example with that of an emulator.
 * @throws Error without a token
 */
export function openCloudflare(env: NodeJS.ProcessEnv): CloudflareApi {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_BASE_URL: base } = env
  if (!token)
    throw new Error('CLOUDFLARE_API_TOKEN is not set. Set it to a token with read permission.')
  const root = (base ?? 'https://api.cloudflare.com/client/v4').replace(/\/$/, '')
  return (path, init = {}) => {
    const headers = { ...init.headers, authorization: `Bearer ${token}` }
    return fetch(root + path, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
  }
}
