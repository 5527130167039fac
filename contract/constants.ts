/** Constants shared by several parts of the project. No imports, so that every worker can bundle them. */

/** First segment of every media path. */
export const MEDIA_SEGMENT = 'cmp-media'

/** Path prefix of the media worker's routes. */
export const MEDIA_PREFIX = `/${MEDIA_SEGMENT}/`

/** First segment of the site worker's own endpoints. */
export const ADMIN_SEGMENT = '__cms'

/** Seconds for which a page of each type stays fresh, unless `PAGE_TYPE_TTLS` sets another value. */
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

// The annotation lets a bundler remove the constant where it is unused.
export const PAGE_TYPES = /* @__PURE__ */ Object.keys(PAGE_TYPE_TTL_DEFAULTS) as [
  PageType,
  ...PageType[],
]

/** Minimum length of an API key or an admin secret, in characters. */
export const SECRET_MIN_LENGTH = 32

/** Compatibility date of all workers, deployed and local. */
export const COMPATIBILITY_DATE = '2026-07-01'

/** Returns the key of a theme's stylesheet in the bucket. */
export const toStylesheetKey = (slug: string, version: string): string =>
  `css/${slug}/${version}.css`

/** Matches the origin of an S3-compatible store, which may contain `{bucket}` in place of the bucket's name. */
export const STORE_ORIGIN =
  /^https?:\/\/(\[[\da-f:]+\]|(\{bucket\}\.)?[^/?#@:[\]{}\s]+)(:\d{1,5})?\/?$/

/** Matches the name of a bucket (S3 user guide, "General purpose bucket naming rules"). */
export const BUCKET_NAME = /^(?!.*\.\.|(\d+\.){3}\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/**
 * Returns the URL of a bucket, without a slash at the end. `endpoint` is an origin that matches `STORE_ORIGIN`; without
 * it the bucket is in S3. A name with a dot is then part of the path, because the certificate of S3 does not cover it
 * as a host name (S3 user guide, "Virtual hosting").
 */
export function toBucketUrl(bucket: string, region: string, endpoint = ''): string {
  const origin = endpoint.replace(/\/$/, '')
  if (origin.includes('{bucket}')) return origin.replace('{bucket}', bucket)
  if (origin) return `${origin}/${bucket}`
  const host = `s3.${region}.amazonaws.com`
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
}
