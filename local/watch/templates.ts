import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { withClient } from '../../prisma/connection.ts'
import { root } from '../lib/paths.ts'
import { toSentence, UserError } from '../lib/user-error.ts'

const PATH = /^themes\/templates\/(.+)\/(layout|page|partial)\/([^/.]+)(?:\.([^/.]+))?\.liquid$/
const FRONT_MATTER = /^---\ntitle: .+\n---\n/

/** Updates the templates of these files, in every database; returns how many rows changed. */
export async function reloadTemplates(
  paths: readonly string[],
  databaseUrls: readonly string[],
): Promise<number> {
  const templates = await Promise.all(paths.map(readTemplate))
  let changed = 0
  for (const url of databaseUrls) {
    await withClient(url, async (client) => {
      for (const template of templates) changed += await update(client, template)
    })
  }
  return changed
}

interface Template {
  home: string
  key: string
  language: string | null
  source: string
}

/** @throws UserError with file and line where the template does not parse */
async function readTemplate(path: string): Promise<Template> {
  const [, home = '', , key = '', language = null] = PATH.exec(path) ?? []
  const text = await readFile(join(root, path), 'utf8').catch(() => {
    throw new UserError(`${path} is gone. Rows in the databases are kept until the next seed.`)
  })
  const source = text.replace(FRONT_MATTER, '')
  const hidden = text.slice(0, text.length - source.length).split('\n').length - 1
  // The site worker's own parser; local/ runs the workers by path.
  const { parseTemplate }: { parseTemplate(source: string): unknown } = await import(
    join(root, 'workers/site/rendering/templates/liquid.ts')
  )
  try {
    parseTemplate(source)
  } catch (error) {
    const [message = ''] = toSentence(error).split('\n')
    const [, line] = /, line:(\d+)/.exec(message) ?? []
    const place = line === undefined ? path : `${path}:${Number(line) + hidden}`
    throw new UserError(`${place}: ${message.replace(/, line:\d+.*$/, '')}`)
  }
  return { home, key, language, source }
}

async function update(client: pg.Client, template: Template): Promise<number> {
  const { home, key, language, source } = template
  const [sql, values] =
    home === 'default'
      ? [UPDATE_DEFAULT, [source, key]]
      : home.startsWith('sites/')
        ? [UPDATE_OVERRIDE, [source, key, language, home.slice('sites/'.length)]]
        : [UPDATE_BLOCK, [source, key, language, home]]
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
