import { readdirSync, readFileSync } from 'node:fs'
import {
  type ResolvedTemplate,
  TEMPLATE_TYPES,
  type TemplateOrigin,
} from '../../../../contract/template.ts'

const ROOT = new URL('../../../../themes/templates/', import.meta.url)
const FRONT_MATTER = /^---\ntitle: (.*)\n---\n/

type SourceFile = Pick<ResolvedTemplate, 'key' | 'type' | 'language' | 'source'> & { title: string }

/** Returns the default templates of the demo. */
export const defaultTemplates = (): ResolvedTemplate[] =>
  readFolder('default').map((file) => ({ ...file, origin: 'element', fallbacks: [] }))

/** Returns the templates of a demo site, resolved as the API does. */
export function themeTemplates(theme: string, site: string): ResolvedTemplate[] {
  const layers: [TemplateOrigin, SourceFile[]][] = [
    ['override', readFolder(`sites/${site}`)],
    ['block', readFolder(theme)],
    ['element', readFolder('default')],
  ]
  const all = layers.flatMap(([origin, files]) => files.map((file) => ({ ...file, origin })))
  const entries = new Map<string, ResolvedTemplate>()
  for (const { title, ...file } of all) {
    const name = `${file.key} ${file.language}`
    const entry = entries.get(name)
    if (entry) entry.fallbacks.push({ origin: file.origin, source: file.source })
    else entries.set(name, { ...file, title: titleOf(file.key), fallbacks: [] })
  }
  return [...entries.values()]
}

const titleOf = (key: string): string =>
  readFolder('default').find((file) => file.key === key)?.title ?? key

function readFolder(folder: string): SourceFile[] {
  return TEMPLATE_TYPES.flatMap((type) => {
    const url = new URL(`${folder}/${type}/`, ROOT)
    return listTemplates(url).map((name) => {
      const [key = '', language] = name.replace(/\.liquid$/, '').split('.')
      const text = readFileSync(new URL(name, url), 'utf8')
      const title = FRONT_MATTER.exec(text)?.[1] ?? key
      return {
        key,
        type,
        language: language ?? null,
        title,
        source: text.replace(FRONT_MATTER, ''),
      }
    })
  })
}

function listTemplates(url: URL): string[] {
  try {
    return readdirSync(url).filter((name) => name.endsWith('.liquid'))
  } catch {
    return []
  }
}
