// `to…Url` are keys in the edge cache, `to…Key` in KV. Requests for keys under `/__cms` get a 404.

const MAX_KV_KEY_BYTES = 512

export const toPageUrl = (host: string, path: string): string => `https://${host}${path}`

/** Returns the KV key of a page; undefined above KV's limit of 512 bytes. Canonical paths are ASCII. */
export function toPageKey(host: string, path: string): string | undefined {
  const key = `${host}:${path}`
  return key.length <= MAX_KV_KEY_BYTES ? key : undefined
}

export const toSettingsUrl = (host: string): string => `https://${host}/__cms/settings`

export const toSettingsKey = (host: string): string => `site:${host}`

/** Returns the key of this data centre's copy of the invalidation log. */
export const toLogUrl = (host: string): string => `https://${host}/__cms/invalidation-log`

/** Returns the path of a language's not-found page in the invalidation log. */
export const toNotFoundPath = (language: string): string => `/__cms/not-found/${language}`
