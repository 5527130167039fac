import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Ids, Row, Rows } from '../prisma/rows.ts'

const FOLDER = join(import.meta.dirname, 'templates')
/** Folder of the stylesheets. */
export const STYLESHEETS = join(import.meta.dirname, 'css')
const FRONT_MATTER = /^---\ntitle: (.+)\n---\n/

interface TemplateFile {
  /** Folders above `<type>/<key>`: `default`, a theme, or `sites/<acronym>`. */
  home: string
  type: string
  key: string
  language: string | null
  title: string
  source: string
}

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
 * `sites/<acronym>/…` as overrides. Throws when an element has no default.
 */
export async function readTemplates(ids: Ids): Promise<TemplateRows> {
  const files = await readTemplateFiles()
  const elements = files.filter(({ home }) => home === 'default')
  const idOf = new Map(elements.map(({ key }) => [key, ids.next('template_elements')]))
  const stray = files.find(({ key }) => !idOf.has(key))
  if (stray) throw new Error(`templates/${stray.home} has ${stray.key}, templates/default has not`)
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

/** The stylesheets `css/<slug>/<version>.css`, each slug's oldest version first. */
export async function listStylesheets(): Promise<{ slug: string; version: string }[]> {
  const names = await readdir(STYLESHEETS, { recursive: true })
  const files = names.flatMap((name) => {
    const [slug, file] = name.split(sep)
    return slug && file?.endsWith('.css') ? [{ slug, version: file.slice(0, -4) }] : []
  })
  const { compare } = new Intl.Collator('en', { numeric: true })
  return files.sort((a, b) => compare(a.slug, b.slug) || compare(a.version, b.version))
}

async function readTemplateFiles(): Promise<TemplateFile[]> {
  const names = await readdir(FOLDER, { recursive: true }).catch(() => [])
  const files = names.filter((name) => name.endsWith('.liquid')).sort()
  return Promise.all(files.map(readTemplateFile))
}

async function readTemplateFile(name: string): Promise<TemplateFile> {
  const folders = name.split(sep)
  const [key = '', language = null] =
    folders
      .pop()
      ?.replace(/\.liquid$/, '')
      .split('.') ?? []
  const type = folders.pop() ?? ''
  const text = await readFile(join(FOLDER, name), 'utf8')
  const title = FRONT_MATTER.exec(text)?.[1] ?? key
  const source = text.replace(FRONT_MATTER, '')
  return { home: folders.join('/'), type, key, language, title, source }
}
