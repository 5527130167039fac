import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { withClient } from '../../prisma/connection.ts'
import { root } from '../lib/paths.ts'
import { toErrorMessage, UserError } from '../lib/user-error.ts'

// `themes/templates/<home>/<type>/<key>.liquid`, or `<key>.<language>.liquid`.
const PATH = /^themes\/templates\/(.+)\/(layout|page|partial)\/([^/.]+)(?:\.([^/.]+))?\.liquid$/
const FRONT_MATTER = /^---\ntitle: (.+)\n---\n/

/**
 * Writes these template files, with paths relative to `folder`, to every database; adds those that are new.
 *
 * @throws UserError when a file was deleted, does not parse, has a language in `default/`, or has no default
 */
export async function reloadTemplates(
  paths: readonly string[],
  databaseUrls: readonly string[],
  folder = root,
): Promise<void> {
  const files = await Promise.all(paths.map((path) => readTemplate(folder, path)))
  // A template of a theme or site needs its default, which may be saved at the same time.
  const defaultsFirst = [
    ...files.filter(({ home }) => home === 'default'),
    ...files.filter(({ home }) => home !== 'default'),
  ]
  for (const url of databaseUrls)
    await withClient(url, async (client) => {
      for (const file of defaultsFirst) await writeTemplate(client, file)
    })
}

interface TemplateFile {
  path: string
  /** Folder below `themes/templates`: `default`, a theme, or `sites/<acronym>`. */
  home: string
  type: string
  key: string
  language: string | null
  title: string
  source: string
}

async function readTemplate(folder: string, path: string): Promise<TemplateFile> {
  const [, home = '', type = '', key = '', language = null] = PATH.exec(path) ?? []
  if (home === 'default' && language !== null)
    throw new UserError(
      `${path}: a default is for all languages. Rename it to ${key}.liquid, or move it to the folder of a theme.`,
    )
  const text = await readFile(join(folder, path), 'utf8').catch(() => {
    throw new UserError(`${path} was deleted. Only databases that are created later omit it.`)
  })
  const [frontMatter = '', title = key] = FRONT_MATTER.exec(text) ?? []
  const source = text.slice(frontMatter.length)
  await checkSyntax(path, source, frontMatter.split('\n').length - 1)
  return { path, home, type, key, language, title, source }
}

/** @throws UserError with file and line when the template cannot be parsed */
async function checkSyntax(path: string, source: string, skippedLines: number): Promise<void> {
  // The site worker's parser: imports.test.ts allows no static import of a worker. It is loaded only when a
  // template is saved, so that an error in the worker's code does not stop the local cloud.
  const { parseTemplate }: { parseTemplate(source: string): unknown } = await import(
    join(root, 'workers/site/rendering/templates/liquid.ts')
  )
  try {
    parseTemplate(source)
  } catch (error) {
    const [message = ''] = toErrorMessage(error).split('\n')
    const [, line] = /, line:(\d+)/.exec(message) ?? []
    const location = line === undefined ? path : `${path}:${Number(line) + skippedLines}`
    throw new UserError(`${location}: ${message.replace(/, line:\d+.*$/, '')}`)
  }
}

async function writeTemplate(client: pg.Client, file: TemplateFile): Promise<void> {
  const { path, home, type, key, language, title, source } = file
  if (home === 'default') {
    await client.query(UPSERT_DEFAULT, [key, type, title, source])
    return
  }
  const { rowCount } = await client.query('SELECT FROM template_elements WHERE key = $1', [key])
  if (rowCount === 0)
    throw new UserError(
      `${path}: the default "${key}" does not exist. Add it to themes/templates/default/${type}/.`,
    )
  if (home.startsWith('sites/'))
    await client.query(UPSERT_SITE_SOURCE, [source, key, language, home.slice('sites/'.length)])
  else await client.query(UPSERT_THEME_SOURCE, [source, key, language, home])
}

// An unchanged template is not written, because the update would be a content change.
const UPSERT_DEFAULT = `
  INSERT INTO template_elements AS live (key, type, title, source) VALUES ($1, $2, $3, $4)
  ON CONFLICT (key) DO UPDATE SET title = excluded.title, source = excluded.source
  WHERE (live.title, live.source) IS DISTINCT FROM (excluded.title, excluded.source)`
const UPSERT_THEME_SOURCE = `
  INSERT INTO template_blocks AS live (element_id, theme, language, source)
  SELECT id, $4::text, $3::text, $1::text FROM template_elements WHERE key = $2
  ON CONFLICT (element_id, theme, language) DO UPDATE SET source = excluded.source
  WHERE live.source <> excluded.source`
const UPSERT_SITE_SOURCE = `
  INSERT INTO template_overrides AS live (element_id, site_id, language, source)
  SELECT e.id, s.id, $3::text, $1::text FROM template_elements e, sites s
  WHERE e.key = $2 AND s.acronym = $4
  ON CONFLICT (site_id, element_id, language) DO UPDATE SET source = excluded.source
  WHERE live.source <> excluded.source`
