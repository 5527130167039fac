import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PICTURE_SIZES, toVariantKey } from './image-rows.ts'
import { NEWSROOMS, readNewsroom } from './newsroom.ts'
import { listMediaKeys, MEDIA } from './objects.ts'

const keys = await listMediaKeys()

async function listPictures(): Promise<{ key: string; kind: keyof typeof PICTURE_SIZES }[]> {
  const newsrooms = await Promise.all(NEWSROOMS.map(readNewsroom))
  return newsrooms.flatMap(({ site: { acronym }, articles, authors }) => [
    ...articles
      .filter(({ image, translates }) => image && !translates)
      .map(({ slug }) => ({ key: `articles/${acronym}/${slug}`, kind: 'article' as const })),
    ...authors.map(({ slug }) => ({
      key: `authors/${acronym}/${slug}`,
      kind: 'portrait' as const,
    })),
  ])
}

/** Returns width and height of a lossy WebP file (RFC 9649, section 2.5). */
function readWebpSize(file: Buffer): { width: number; height: number } {
  expect(file.toString('latin1', 0, 4) + file.toString('latin1', 8, 16)).toBe('RIFFWEBPVP8 ')
  return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff }
}

test('each picture of an article or author has an original and a variant of each width, and no other file exists', async () => {
  const pictures = await listPictures()
  const expected = pictures.flatMap(({ key, kind }) => [
    `${key}.jpg`,
    ...PICTURE_SIZES[kind].variants.map((width) => toVariantKey(key, width)),
  ])
  const found = keys.filter((key) => /^(articles|authors)\//.test(key))
  expect(found).toEqual(expected.toSorted())
})

test('variants have the width in their key and the aspect ratio of the original', async () => {
  for (const { key, kind } of await listPictures()) {
    const { width, height, variants } = PICTURE_SIZES[kind]
    for (const size of variants) {
      const variant = toVariantKey(key, size)
      const expected = { width: size, height: (size * height) / width }
      expect(readWebpSize(await readFile(join(MEDIA, variant))), variant).toEqual(expected)
    }
  }
})

test('the sound lasts four minutes', async () => {
  const sound = await readFile(join(MEDIA, 'audio/harbour-sounds.wav'))
  const bytesPerSecond = sound.readUInt32LE(28)
  const data = sound.indexOf('data') + 4
  expect(sound.readUInt32LE(data) / bytesPerSecond).toBe(240)
  expect(sound.length).toBe(data + 4 + sound.readUInt32LE(data))
})

test('all media are smaller than 10 MB in total', async () => {
  const sizes = await Promise.all(keys.map(async (key) => (await stat(join(MEDIA, key))).size))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(10_000_000)
})
