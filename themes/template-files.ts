import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { TEMPLATE_TYPES, type TemplateType } from '../contract/template.ts'

/** Three lines at the top of a file: the template's title. */
const FRONT_MATTER = /^---\ntitle: (.+)\n---\n/
const FRONT_MATTER_LINES = 3

export interface TemplateFile {
  /** Below the folder of the themes: `templates/harbour/layout/home.liquid`. */
  path: string
  /** Folders above `<type>/<key>`: `default`, a theme, or `sites/<acronym>`. */
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
 * The templates `templates/<home>/<type>/<key>[.<language>].liquid` below a folder, by their paths.
 * @throws Error for a file in a folder that is no type, and for one of a theme or site without a default
 */
export async function readTemplateFiles(folder: string): Promise<TemplateFile[]> {
  const root = join(folder, 'templates')
  const names = await readdir(root, { recursive: true })
  const paths = names.filter((name) => name.endsWith('.liquid')).sort()
  const files = await Promise.all(paths.map((path) => readTemplateFile(root, path)))
  const defaults = new Set(files.filter(({ home }) => home === 'default').map(({ key }) => key))
  const stray = files.find(({ key }) => !defaults.has(key))
  if (stray)
    throw new Error(
      `${stray.path}: there is no default "${stray.key}" that it could replace. Add one to templates/default/${stray.type}/.`,
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
    throw new Error(`${path}: its folder "${folder}" is none of ${TEMPLATE_TYPES.join(', ')}.`)
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
