import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeDocument } from './document.ts'
import { drawPortrait, type Portrait } from './pictures/portrait.ts'
import { renderPicture } from './pictures/render.ts'
import { drawScene } from './pictures/scenes.ts'
import { makeSound } from './sound.ts'

test('a picture is the same bytes each time, and another for another article', async () => {
  const [one, again, other] = await Promise.all(
    ['a-ship', 'a-ship', 'a-boat'].map((slug) =>
      Array.fromAsync(renderPicture('articles/x', 'article', drawScene('harbour', slug))),
    ),
  )
  expect(again).toEqual(one)
  expect(other).not.toEqual(one)
})

test.each([
  ['articles/x.jpg', 'jpeg', 1600, 1000],
  ['articles/x-480.webp', 'webp', 480, 300],
  ['articles/x-960.webp', 'webp', 960, 600],
  ['articles/x-1600.webp', 'webp', 1600, 1000],
  ['articles/x-960.avif', 'heif', 960, 600],
])('%s is %s, %i × %i', async (key, format, width, height) => {
  const svg = drawScene('lighthouse', 'x')
  const objects = await Array.fromAsync(renderPicture('articles/x', 'article', svg, { avif: true }))
  const object = objects.find((candidate) => candidate.key === key)
  expect(await sharp(object?.body).metadata()).toMatchObject({ format, width, height })
})

test('a portrait follows from its name and looks', () => {
  const looks: Portrait = {
    skin: 'tan',
    hair: 'grey',
    cut: 'round',
    long: true,
    beard: false,
    glasses: true,
  }
  expect(drawPortrait('ann', looks)).toBe(drawPortrait('ann', looks))
  expect(drawPortrait('ann', { ...looks, hair: 'red' })).not.toBe(drawPortrait('ann', looks))
})

test('an unknown scene is refused with the list of those there are', () => {
  expect(() => drawScene('moon-base', 'x')).toThrow(/no scene "moon-base"; there are harbour, /)
})

test('the sound is four minutes of WAV', () => {
  const sound = Buffer.from(makeSound())
  expect(sound.subarray(0, 4).toString()).toBe('RIFF')
  expect(sound.readUInt32LE(4)).toBe(sound.length - 8)
  expect((sound.length - 44) / (8000 * 2)).toBe(240)
})

test('the document is a PDF, the same bytes each time', async () => {
  const [first, second] = await Promise.all([makeDocument(), makeDocument()])
  expect(Buffer.from(first).subarray(0, 5).toString()).toBe('%PDF-')
  expect(second).toEqual(first)
})
