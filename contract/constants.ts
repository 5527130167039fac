/** Constants shared by several parts of the project. No imports, so that every worker can bundle them. */

/** First segment of every media path; also stands for the bucket in a URL. */
export const MEDIA_SEGMENT = 'cmp-media'

/** Path prefix of the media worker's routes. */
export const MEDIA_PREFIX = `/${MEDIA_SEGMENT}/`

/** First segment of the site worker's own endpoints. */
export const ADMIN_SEGMENT = '__cms'

/** Page types with the seconds for which a page stays fresh where `PAGE_TYPE_TTLS` has no entry. */
export const PAGE_TYPE_TTL_DEFAULTS = {
  home: 60,
  article: 300,
  category: 120,
  author: 300,
  search: 60,
  page: 3600,
  feed: 300,
  sitemap: 3600,
  robots: 3600,
  ads: 3600,
  not_found: 30,
} as const satisfies Record<string, number>

export type PageType = keyof typeof PAGE_TYPE_TTL_DEFAULTS

// The annotation keeps it out of bundles that do not use it.
export const PAGE_TYPES = /* @__PURE__ */ Object.keys(PAGE_TYPE_TTL_DEFAULTS) as [
  PageType,
  ...PageType[],
]

/** Minimum length of an API key or an admin secret, in characters. */
export const SECRET_MIN_LENGTH = 32

/** Version of the Workers runtime's behaviour; declared in `infra/`, used by every local workerd. */
export const COMPATIBILITY_DATE = '2026-07-01'

/** Path of a theme's stylesheet under the media prefix. */
export const toStylesheetKey = (slug: string, version: string): string =>
  `css/${encodeURIComponent(slug)}/${encodeURIComponent(version)}.css`

/** Origin of an S3-compatible store; `{bucket}` is replaced by the bucket's name. */
export const STORE_ORIGIN =
  /^https?:\/\/(\[[\da-f:]+\]|(\{bucket\}\.)?[^/?#@:[\]{}\s]+)(:\d{1,5})?\/?$/

/** Name of a bucket. */
export const BUCKET_NAME = /^(?!.*\.\.|(\d+\.){3}\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/**
 * URL of a bucket without a slash at the end.
 * Amazon's certificate covers no bucket name with a dot in it (S3 user guide, "Virtual hosting").
 */
export function toBucketUrl(bucket: string, region: string, endpoint = ''): string {
  const origin = endpoint.replace(/\/$/, '')
  if (origin.includes('{bucket}')) return origin.replace('{bucket}', bucket)
  if (origin) return `${origin}/${bucket}`
  const host = `s3.${region}.amazonaws.com`
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
}
