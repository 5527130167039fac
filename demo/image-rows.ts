import type { Row } from '../prisma/rows.ts'

/** Sizes of a picture's original and of its WebP variants, in pixels. */
export const PICTURE_SIZES = {
  article: { width: 1600, height: 1000, variants: [480, 960, 1600] },
  portrait: { width: 640, height: 640, variants: [160, 320] },
} as const

interface Picture {
  /** Key of the original without its extension. */
  key: string
  kind: keyof typeof PICTURE_SIZES
  alt: string
  caption?: string | undefined
  credit?: string | undefined
}

/** Row of a picture that the object store holds as JPEG with narrower WebP variants. */
export function toImageRow(id: number, siteId: number, { key, kind, alt, ...words }: Picture): Row {
  const { width, height, variants } = PICTURE_SIZES[kind]
  return {
    id,
    site_id: siteId,
    key: `${key}.jpg`,
    alt,
    width,
    height,
    mime_type: 'image/jpeg',
    caption: words.caption ?? null,
    credit: words.credit ?? null,
    variants: variants.map((size) => ({ key: toVariantKey(key, size), width: size })),
  }
}

export function toVariantKey(key: string, width: number): string {
  return `${key}-${width}.webp`
}
