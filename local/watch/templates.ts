import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { withClient } from '../../prisma/connection.ts'
import { root } from '../lib/paths.ts'
import { toErrorMessage, UserError } from '../lib/user-error.ts'

const PATH = /^themes\/templates\/(.+)\/(layout|page|partial)\/([^/.]+)(?:\.([^/.]+))?\.liquid$/
const FRONT_MATTER = /^---\ntitle: .+\n---\n/

/** Updates the templates in these files in every database; returns the number of changed rows. */
export async function reloadTemplates(
  paths: readonly string[],
  databaseUrls: readonly string[],
): Promise<number> {
  const templates = await Promise.all(paths.map(readTemplate))
  let changed = 0
  for (const url of databaseUrls) {
    await withClient(url, async (client) => {
      for (const template of templates) changed += await updateRows(client, template)
    })
  }
  return changed
}

interface TemplateFile {
  /** Folder below `themes/templates`: `default`, a theme, or `sites/<acronym>`. */
  folder: string
  key: string
  language: string | null
  source: string
}

/** @throws UserError with file and line when the template cannot be parsed */
async function readTemplate(path: string): Promise<TemplateFile> {
  const [, folder = '', , key = '', language = null] = PATH.exec(path) ?? []
  const text = await readFile(join(root, path), 'utf8').catch(() => {
    throw new UserError(`${path} was deleted. Its rows stay in the databases until the next seed.`)
  })
  const source = text.replace(FRONT_MATTER, '')
  const frontMatterLines = text.slice(0, text.length - source.length).split('\n').length - 1
  // The site worker's parser. local/ may not import a worker statically.
  const { parseTemplate }: { parseTemplate(source: string): unknown } = await import(
    join(root, 'workers/site/rendering/templates/liquid.ts')
  )
  try {
    parseTemplate(source)
  } catch (error) {
    const [message = ''] = toErrorMessage(error).split('\n')
    const [, line] = /, line:(\d+)/.exec(message) ?? []
    const location = line === undefined ? path : `${path}:${Number(line) + frontMatterLines}`
    throw new UserError(`${location}: ${message.replace(/, line:\d+.*$/, '')}`)
  }
  return { folder, key, language, source }
}

async function updateRows(client: pg.Client, template: TemplateFile): Promise<number> {
  const { folder, key, language, source } = template
  const [sql, values] =
    folder === 'default'
      ? [UPDATE_DEFAULT, [source, key]]
      : folder.startsWith('sites/')
        ? [UPDATE_OVERRIDE, [source, key, language, folder.slice('sites/'.length)]]
        : [UPDATE_BLOCK, [source, key, language, folder]]
  const { rowCount } = await client.query(sql, values)
  return rowCount ?? 0
}

const UPDATE_DEFAULT = `
  UPDATE template_elements SET source = $1 WHERE key = $2 AND source <> $1`
const UPDATE_BLOCK = `
  INSERT INTO template_blocks (element_id, theme, language, source)
  SELECT id, $4::text, $3::text, $1::text FROM template_elements WHERE key = $2
  ON CONFLICT (element_id, theme, language) DO UPDATE SET source = excluded.source`
const UPDATE_OVERRIDE = `
  INSERT INTO template_overrides (element_id, site_id, language, source)
  SELECT e.id, s.id, $3::text, $1::text FROM template_elements e, sites s
  WHERE e.key = $2 AND s.acronym = $4
  ON CONFLICT (site_id, element_id, language) DO UPDATE SET source = excluded.source`
