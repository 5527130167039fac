import { MEDIA_PREFIX } from '../../contract/constants.ts'
import type { Image } from '../../contract/primitives.ts'
import type { Image as ImageRecord } from '../../prisma/generated/client.ts'

/** Columns of a picture, as `to_json` of its row or Prisma gives them. */
export interface ImageRow {
  key: string
  alt: string
  width: number
  height: number
  mime_type: string
  caption: string | null
  credit: string | null
  variants: unknown
}

/** Prisma's record of a picture as the row that it is. */
export function fromImage({ mimeType, ...image }: ImageRecord): ImageRow {
  return { ...image, mime_type: mimeType }
}

type Variant = { key: string; width: number }

export function toImage(row: ImageRow | null): Image | null {
  if (!row) return null
  const { key, alt, width, height, mime_type, caption, credit } = row
  const variants = (row.variants as Variant[]).map(({ key, width }) => ({
    url: toMediaUrl(key),
    width,
  }))
  return { url: toMediaUrl(key), alt, width, height, mime_type, caption, credit, variants }
}

const PLAIN_KEY = /^[\w./-]*$/

const toMediaUrl = (key: string): string =>
  `${MEDIA_PREFIX}${PLAIN_KEY.test(key) ? key : key.split('/').map(encodeURIComponent).join('/')}`
