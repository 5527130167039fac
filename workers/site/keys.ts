const MAX_KV_KEY_BYTES = 512

export const toPageUrl = (host: string, path: string): string => `https://${host}${path}`

/** Returns the KV key of a page, or undefined above KV's limit of 512 bytes. Canonical paths are ASCII. */
export function toPageKey(host: string, path: string): string | undefined {
  const key = `${host}:${path}`
  return key.length <= MAX_KV_KEY_BYTES ? key : undefined
}

export const toSettingsUrl = (host: string): string => `https://${host}/__cms/settings`

export const toSettingsKey = (host: string): string => `site:${host}`

/** Cache key of the invalidation log's edge copy, which no request can reach. */
export const toLogUrl = (host: string): string => `https://${host}/__cms/invalidation-log`

/** Path of a language's not-found page in the invalidation log, which no request can reach. */
export const toNotFoundPath = (language: string): string => `/__cms/not-found/${language}`
