import { readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Ids, Row, Rows } from '../prisma/rows.ts'
import { readTemplateFiles } from './template-files.ts'

/** Folder of the themes: `templates/` and `css/`. */
export const THEMES = import.meta.dirname

export interface TemplateRows {
  rows: Rows
  /**
   * Rows of `template_overrides` for the site of that acronym. `elementIds`: those of a database that has elements
   * already, by their keys; what it lacks is not overridden.
   */
  toOverrides(acronym: string, siteId: number, elementIds?: ReadonlyMap<string, number>): Row[]
}

/**
 * Reads `templates/default/<type>/<key>.liquid` as elements, `<theme>/<type>/<key>[.<language>].liquid` as blocks and
 * `sites/<acronym>/…` as overrides.
 */
export async function readTemplates(ids: Ids): Promise<TemplateRows> {
  const files = await readTemplateFiles(THEMES)
  const elements = files.filter(({ home }) => home === 'default')
  const idOf = new Map(elements.map(({ key }) => [key, ids.next('template_elements')]))
  const blocks = files.filter(({ home }) => home !== 'default' && !home.startsWith('sites/'))
  return {
    rows: {
      template_elements: elements.map(({ key, type, title, source }) => {
        return { id: idOf.get(key), key, type, title, source }
      }),
      template_blocks: blocks.map((file) => ({
        id: ids.next('template_blocks'),
        element_id: idOf.get(file.key),
        theme: file.home,
        language: file.language,
        source: file.source,
      })),
    },
    toOverrides: (acronym, siteId, elementIds = idOf) =>
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

/** The stylesheets `css/<slug>/<version>.css` of a folder, each slug's oldest version first. */
export async function listStylesheets(folder = THEMES): Promise<Stylesheet[]> {
  const names = await readdir(join(folder, 'css'), { recursive: true })
  const files = names.flatMap((name) => {
    const [slug, file] = name.split(sep)
    return slug && file?.endsWith('.css') ? [{ slug, version: file.slice(0, -4) }] : []
  })
  const { compare } = new Intl.Collator('en', { numeric: true })
  return files.sort((a, b) => compare(a.slug, b.slug) || compare(a.version, b.version))
}
