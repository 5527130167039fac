import { readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Ids, Row, Rows } from '../prisma/rows.ts'
import { readTemplateFiles } from './template-files.ts'

/** Folder of the themes: `templates/` and `css/`. */
export const THEMES = import.meta.dirname

export interface TemplateRows {
  rows: Rows
  /**
   * Returns rows of `template_overrides` for a site. `elementIds` are the ids of `template_elements` by key;
   * by default those of `rows`. Templates with other keys are omitted.
   */
  toOverrides(acronym: string, siteId: number, elementIds?: ReadonlyMap<string, number>): Row[]
}

/**
 * Reads the files of `templates/` as rows: `default/<type>/<key>.liquid` of
 * `template_elements`, `<theme>/<type>/<key>[.<language>].liquid` of `template_blocks`, and
 * `sites/<acronym>/…` of `template_overrides`.
 */
export async function readTemplates(ids: Ids): Promise<TemplateRows> {
  const files = await readTemplateFiles(THEMES)
  const elements = files.filter(({ home }) => home === 'default')
  const elementIdByKey = new Map(elements.map(({ key }) => [key, ids.next('template_elements')]))
  const blocks = files.filter(({ home }) => home !== 'default' && !home.startsWith('sites/'))
  return {
    rows: {
      template_elements: elements.map(({ key, type, title, source }) => {
        return { id: elementIdByKey.get(key), key, type, title, source }
      }),
      template_blocks: blocks.map((file) => ({
        id: ids.next('template_blocks'),
        element_id: elementIdByKey.get(file.key),
        theme: file.home,
        language: file.language,
        source: file.source,
      })),
    },
    toOverrides: (acronym, siteId, elementIds = elementIdByKey) =>
      files
        .filter(({ home, key }) => home === `sites/${acronym}` && elementIds.has(key))
        .map((file) => ({
          id: ids.next('template_overrides'),
          element_id: elementIds.get(file.key),
          site_id: siteId,
          language: file.language,
          source: file.source,
        })),
  }
}

export interface Stylesheet {
  slug: string
  version: string
}

/** Lists the stylesheets `css/<slug>/<version>.css` of a folder, the oldest version of each slug first. */
export async function listStylesheets(folder = THEMES): Promise<Stylesheet[]> {
  const names = await readdir(join(folder, 'css'), { recursive: true })
  const files = names.flatMap((name) => {
    const [slug, file] = name.split(sep)
    return slug && file?.endsWith('.css') ? [{ slug, version: file.slice(0, -4) }] : []
  })
  const { compare } = new Intl.Collator('en', { numeric: true })
  return files.sort((a, b) => compare(a.slug, b.slug) || compare(a.version, b.version))
}
