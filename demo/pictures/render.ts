import sharp from 'sharp'
import type { StoredObject } from '../../themes/assets.ts'
import { PICTURE_SIZES, toVariantKey } from '../image-rows.ts'

/** A picture's original as JPEG, with its WebP variants and, where asked for, an AVIF of 960 pixels. */
export async function* renderPicture(
  key: string,
  kind: keyof typeof PICTURE_SIZES,
  svg: string,
  { avif = false } = {},
): AsyncGenerator<StoredObject> {
  const { width, height, variants } = PICTURE_SIZES[kind]
  const { data, info } = await sharp(Buffer.from(svg))
    .resize(width, height)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const open = () => sharp(data, { raw })
  yield {
    key: `${key}.jpg`,
    contentType: 'image/jpeg',
    body: await open().jpeg({ quality: 78, progressive: true }).toBuffer(),
  }
  for (const size of variants)
    yield {
      key: toVariantKey(key, size),
      contentType: 'image/webp',
      body: await open().resize(size).webp({ quality: 76, effort: 1 }).toBuffer(),
    }
  if (avif)
    yield {
      key: `${key}-960.avif`,
      contentType: 'image/avif',
      body: await open().resize(960).avif({ quality: 50, effort: 0 }).toBuffer(),
    }
}
