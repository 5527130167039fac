import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { TEMPLATE_TYPES, type TemplateType } from '../contract/template.ts'

/** Three lines at the top of a file with the template's title. */
const FRONT_MATTER = /^---\ntitle: (.+)\n---\n/
const FRONT_MATTER_LINES = 3

export interface TemplateFile {
  /** Relative to the folder of the themes, such as `templates/harbour/layout/home.liquid`. */
  path: string
  /** Folder that contains the folder of the type: `default`, a theme, or `sites/<acronym>`. */
  home: string
  type: TemplateType
  key: string
  language: string | null
  title: string
  source: string
  /** Lines of the file before the source. */
  skippedLines: number
}

/**
 * Reads the files `templates/<home>/<type>/<key>[.<language>].liquid` of a folder, sorted by path.
 *
 * @throws Error for a folder that is not a type, and for a template of a theme or site without a default
 */
export async function readTemplateFiles(folder: string): Promise<TemplateFile[]> {
  const root = join(folder, 'templates')
  const names = await readdir(root, { recursive: true })
  const paths = names.filter((name) => name.endsWith('.liquid')).sort()
  const files = await Promise.all(paths.map((path) => readTemplateFile(root, path)))
  const defaults = new Set(files.filter(({ home }) => home === 'default').map(({ key }) => key))
  const withoutDefault = files.find(({ key }) => !defaults.has(key))
  if (withoutDefault)
    throw new Error(
      `${withoutDefault.path}: the default "${withoutDefault.key}" does not exist. Add it to templates/default/${withoutDefault.type}/.`,
    )
  return files
}

async function readTemplateFile(root: string, name: string): Promise<TemplateFile> {
  const path = `templates/${name.split(sep).join('/')}`
  const [, ...folders] = path.split('/')
  const [key = '', language = null] = (folders.pop() ?? '').replace(/\.liquid$/, '').split('.')
  const folder = folders.pop()
  const type = TEMPLATE_TYPES.find((each) => each === folder)
  if (!type)
    throw new Error(`${path}: the folder "${folder}" must be one of ${TEMPLATE_TYPES.join(', ')}.`)
  const text = await readFile(join(root, name), 'utf8')
  const frontMatter = FRONT_MATTER.exec(text)
  return {
    path,
    home: folders.join('/'),
    type,
    key,
    language,
    title: frontMatter?.[1] ?? key,
    source: text.replace(FRONT_MATTER, ''),
    skippedLines: frontMatter ? FRONT_MATTER_LINES : 0,
  }
}
