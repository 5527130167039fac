import type { Row } from '../prisma/rows.ts'

/** Size of a picture's original and widths of its WebP variants, in pixels. */
export const PICTURE_SIZES = {
  article: { width: 1600, height: 1000, variants: [480, 960, 1600] },
  portrait: { width: 640, height: 640, variants: [160, 320] },
} as const

interface PictureFile {
  /** Key of the original without its extension. */
  key: string
  kind: keyof typeof PICTURE_SIZES
  alt: string
  caption?: string | undefined
  credit?: string | undefined
}

/** Returns the row of a picture that is stored as JPEG with WebP variants. */
export function toImageRow(
  id: number,
  siteId: number,
  { key, kind, alt, ...texts }: PictureFile,
): Row {
  const { width, height, variants } = PICTURE_SIZES[kind]
  return {
    id,
    site_id: siteId,
    key: `${key}.jpg`,
    alt,
    width,
    height,
    mime_type: 'image/jpeg',
    caption: texts.caption ?? null,
    credit: texts.credit ?? null,
    variants: variants.map((size) => ({ key: toVariantKey(key, size), width: size })),
  }
}

/** Returns the key of a WebP variant; `key` is that of the original without its extension. */
export function toVariantKey(key: string, width: number): string {
  return `${key}-${width}.webp`
}
