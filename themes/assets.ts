import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { toStylesheetKey } from '../contract/constants.ts'
import { listStylesheets, THEMES } from './templates.ts'

export interface PublishedObject {
  /** Key in the bucket, without the prefix `/cmp-media/`. */
  key: string
  contentType: string
  body: Uint8Array
}

/** Font files to publish, without extension, by npm package. */
const FONTS = {
  '@fontsource/newsreader': [
    'newsreader-latin-400-normal',
    'newsreader-latin-400-italic',
    'newsreader-latin-600-normal',
  ],
  '@fontsource/literata': [
    'literata-latin-400-normal',
    'literata-latin-400-italic',
    'literata-latin-700-normal',
  ],
  '@fontsource-variable/libre-franklin': ['libre-franklin-latin-wght-normal'],
  '@fontsource-variable/bricolage-grotesque': ['bricolage-grotesque-latin-wght-normal'],
}

/** Yields the stylesheets of all themes, with versioned keys, and their fonts. */
export async function* readAssets(folder = THEMES): AsyncGenerator<PublishedObject> {
  for (const { slug, version } of await listStylesheets(folder))
    yield {
      key: toStylesheetKey(slug, version),
      contentType: 'text/css; charset=utf-8',
      body: await readFile(join(folder, 'css', slug, `${version}.css`)),
    }
  yield* readFonts()
}

async function* readFonts(): AsyncGenerator<PublishedObject> {
  const { resolve } = createRequire(import.meta.url)
  for (const [name, files] of Object.entries(FONTS))
    for (const file of files)
      yield {
        key: `fonts/${file}.woff2`,
        contentType: 'font/woff2',
        body: await readFile(resolve(`${name}/files/${file}.woff2`)),
      }
}
