import sharp from 'sharp'
import { readAssets, type StoredObject } from '../themes/assets.ts'
import { makeDocument } from './document.ts'
import { NEWSROOMS, type Newsroom, readNewsroom } from './newsroom.ts'
import { drawIcon, drawLogo } from './pictures/brand.ts'
import { drawPortrait } from './pictures/portrait.ts'
import { renderPicture } from './pictures/render.ts'
import { drawScene } from './pictures/scenes.ts'
import { makeSound } from './sound.ts'

const SOCIAL_SCENES: Record<string, string> = { harbour: 'harbour', meridian: 'waves' }

/** Everything that the media buckets hold: stylesheets and fonts first, then brands, files and pictures. */
export async function* seedObjects(): AsyncGenerator<StoredObject> {
  yield* readAssets()
  yield { key: 'audio/harbour-sounds.wav', contentType: 'audio/wav', body: makeSound() }
  yield {
    key: 'documents/harbour-plan-2040.pdf',
    contentType: 'application/pdf',
    body: await makeDocument(),
  }
  for (const acronym of NEWSROOMS) {
    const newsroom = await readNewsroom(acronym)
    yield* drawBrand(newsroom)
    yield* drawPeople(newsroom)
    yield* drawArticles(newsroom)
  }
}

async function* drawBrand({ site }: Newsroom): AsyncGenerator<StoredObject> {
  const folder = `brand/${site.acronym}`
  const logo = drawLogo(site.acronym, site.name)
  yield { key: `${folder}/logo.svg`, contentType: 'image/svg+xml', body: Buffer.from(logo) }
  const icon = await sharp(Buffer.from(drawIcon(site.acronym, 192)))
    .png()
    .toBuffer()
  yield { key: `${folder}/icon.png`, contentType: 'image/png', body: icon }
  const scene = drawScene(SOCIAL_SCENES[site.acronym] ?? 'lighthouse', site.acronym)
  const social = await sharp(Buffer.from(scene))
    .resize(1200, 630)
    .composite([{ input: Buffer.from(drawIcon(site.acronym, 300)) }])
    .jpeg({ quality: 80 })
    .toBuffer()
  yield { key: `${folder}/social.jpg`, contentType: 'image/jpeg', body: social }
}

async function* drawPeople({ site, authors }: Newsroom): AsyncGenerator<StoredObject> {
  for (const { slug, portrait } of authors) {
    const svg = drawPortrait(slug, portrait)
    yield* renderPicture(`authors/${site.acronym}/${slug}`, 'portrait', svg)
  }
}

async function* drawArticles({ site, articles }: Newsroom): AsyncGenerator<StoredObject> {
  for (const { slug, image, translates, featured } of articles)
    if (image?.scene && !translates) {
      const svg = drawScene(image.scene, slug)
      yield* renderPicture(`articles/${site.acronym}/${slug}`, 'article', svg, { avif: featured })
    }
}
