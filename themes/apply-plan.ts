import type pg from 'pg'
import { type Template, toTemplatePath } from './live-theme.ts'
import type { Plan, StylesheetChange } from './plan.ts'

/**
 * Writes a plan in the client's transaction.
 *
 * @throws Error when a template has no default, or when a default is deleted that a theme or a site replaces
 */
export async function applyPlan(
  client: pg.Client,
  { templates, stylesheets }: Plan,
): Promise<void> {
  const writes = templates.flatMap(({ after }) => after ?? [])
  const deletions = templates.flatMap(({ before, after }) => (before && !after ? before : []))
  for (const template of writes.toSorted(compareDefaultsFirst))
    await writeTemplate(client, template)
  for (const template of deletions.toSorted(compareDefaultsFirst).toReversed())
    await deleteTemplate(client, template)
  for (const change of stylesheets) await writeStylesheet(client, change)
}

const compareDefaultsFirst = (one: Template, other: Template): number =>
  Number(other.home === 'default') - Number(one.home === 'default')

async function writeTemplate(client: pg.Client, template: Template): Promise<void> {
  const { home, type, key, language, title, source } = template
  if (home === 'default') {
    await client.query(
      `INSERT INTO template_elements (key, type, title, source) VALUES ($1, $2, $3, $4)
       ON CONFLICT (key) DO UPDATE SET type = $2, title = $3, source = $4`,
      [key, type, title, source],
    )
    return
  }
  const { rowCount } = home.startsWith('sites/')
    ? await client.query(
        `INSERT INTO template_overrides (element_id, site_id, language, source)
         SELECT e.id, s.id, $3, $4 FROM template_elements e, sites s WHERE e.key = $1 AND s.acronym = $2
         ON CONFLICT (site_id, element_id, language) DO UPDATE SET source = $4`,
        [key, home.slice('sites/'.length), language, source],
      )
    : await client.query(
        `INSERT INTO template_blocks (element_id, theme, language, source)
         SELECT id, $2, $3, $4 FROM template_elements WHERE key = $1
         ON CONFLICT (element_id, theme, language) DO UPDATE SET source = $4`,
        [key, home, language, source],
      )
  if (!rowCount)
    throw new Error(`${toTemplatePath(template)} replaces a default that does not exist.`)
}

async function deleteTemplate(client: pg.Client, template: Template): Promise<void> {
  const { home, key, language } = template
  const { rowCount } =
    home === 'default'
      ? await client.query(
          `DELETE FROM template_elements e WHERE key = $1
           AND NOT EXISTS (SELECT FROM template_blocks WHERE element_id = e.id)
           AND NOT EXISTS (SELECT FROM template_overrides WHERE element_id = e.id)`,
          [key],
        )
      : home.startsWith('sites/')
        ? await client.query(
            `DELETE FROM template_overrides o USING template_elements e, sites s
             WHERE e.id = element_id AND s.id = site_id AND e.key = $1 AND s.acronym = $2
             AND o.language IS NOT DISTINCT FROM $3`,
            [key, home.slice('sites/'.length), language],
          )
        : await client.query(
            `DELETE FROM template_blocks b USING template_elements e
             WHERE e.id = element_id AND e.key = $1 AND theme = $2 AND b.language IS NOT DISTINCT FROM $3`,
            [key, home, language],
          )
  if (!rowCount)
    throw new Error(
      `${toTemplatePath(template)} cannot be deleted: it does not exist, or a theme or a site has a template that replaces it.`,
    )
}

async function writeStylesheet(client: pg.Client, { after }: StylesheetChange): Promise<void> {
  await client.query(
    `UPDATE site_settings SET css_version = $2 FROM sites WHERE sites.id = site_id AND acronym = $1`,
    [after.acronym, after.version],
  )
}
