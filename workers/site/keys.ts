const MAX_KV_KEY_BYTES = 512

export const toPageUrl = (host: string, path: string): string => `https://${host}${path}`

/** The KV key of a page; undefined when it exceeds KV's 512 bytes. Canonical paths are ASCII. */
export function toPageKey(host: string, path: string): string | undefined {
  const key = `${host}:${path}`
  return key.length <= MAX_KV_KEY_BYTES ? key : undefined
}

export const toSettingsUrl = (host: string): string => `https://${host}/__cms/settings`

export const toSettingsKey = (host: string): string => `site:${host}`

/** Edge copy of the invalidation log; requests to this path never reach the cache. */
export const toLogUrl = (host: string): string => `https://${host}/__cms/invalidation-log`

/** Path of a language's not-found page in the invalidation log; requests to this path never reach the cache. */
export const toNotFoundPath = (language: string): string => `/__cms/not-found/${language}`
