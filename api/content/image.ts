import { MEDIA_PREFIX } from '../../contract/constants.ts'
import type { Image } from '../../contract/primitives.ts'
import { withSourceRow } from '../omissions/source-row.ts'
import { limitJson, limitText } from '../sql.ts'

/** Columns of a picture. */
export interface ImageRow {
  id: number
  key: string
  alt: string
  width: number
  height: number
  mime_type: string
  caption: string | null
  credit: string | null
  /** `[{key, width}]` in a valid row. */
  variants: unknown
}

/** SQL expression: a joined row of `images` as JSON, or null if no row was joined. */
export const toImageJson = (alias: string): string => `CASE WHEN ${alias}.id IS NOT NULL
    THEN json_build_object('id', ${alias}.id, 'key', ${limitText(`${alias}.key`, 'line')},
      'alt', ${limitText(`${alias}.alt`, 'line')}, 'width', ${alias}.width, 'height', ${alias}.height,
      'mime_type', ${limitText(`${alias}.mime_type`, 'name')}, 'caption', ${limitText(`${alias}.caption`, 'text')},
      'credit', ${limitText(`${alias}.credit`, 'name')}, 'variants', ${limitJson(`${alias}.variants`)}) END`

/**
 * SQL condition: the picture belongs to the site, or to all sites (`site_id` is null). `siteColumn` has the id of the
 * site, for example `a.site_id`.
 */
export const toImageCondition = (alias: string, siteColumn: string): string =>
  `(${alias}.site_id = ${siteColumn} OR ${alias}.site_id IS NULL)`

export function toImage(row: ImageRow | null): Image | null {
  if (!row) return null
  const { id, key, alt, width, height, mime_type, caption, credit, variants } = row
  return withSourceRow('images', id, {
    url: toMediaUrl(key),
    alt,
    width,
    height,
    mime_type,
    caption,
    credit,
    // A value that is not a list becomes one invalid variant, so that it is reported.
    variants: (Array.isArray(variants) ? variants : [variants]).map(toVariant),
  })
}

function toVariant(variant: unknown): Image['variants'][number] {
  // `Object()` also makes an object of null or a number, so a variant of any type can be destructured.
  const { key, width } = Object(variant) as { key: unknown; width: number }
  return { url: toMediaUrl(key), width }
}

const PLAIN_KEY = /^[\w./-]*$/

/**
 * Returns the URL of an object. For a key that is empty or not a string, the URL is empty. An empty URL does not match
 * the contract, so `repair` (api/omissions/repair.ts) omits it and reports its row.
 */
function toMediaUrl(key: unknown): string {
  if (typeof key !== 'string' || key === '') return ''
  const path = PLAIN_KEY.test(key) ? key : key.split('/').map(encodeURIComponent).join('/')
  return `${MEDIA_PREFIX}${path}`
}
