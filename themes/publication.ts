import type pg from 'pg'
import * as z from 'zod/mini'
import { withClient } from '../prisma/connection.ts'
import { inTransaction } from '../prisma/transaction.ts'
import { type LiveTheme, readLiveTheme, Template, toTemplatePath } from './live-theme.ts'
import {
  isEmptyPlan,
  type Plan,
  planPublication,
  planRollback,
  type StylesheetChange,
} from './plan.ts'

const Digest = z.string().check(z.regex(/^[0-9a-f]{64}$/))

/** Events of the migration function. `expected`: digest of the live theme that the operator has seen. */
export const ReadTheme = z.strictObject({ action: z.literal('read-theme') })
export const PublishTheme = z.strictObject({
  action: z.literal('publish-theme'),
  expected: Digest,
  templates: z.array(Template).check(z.minLength(1), z.maxLength(5000)),
  stylesheets: z.array(z.strictObject({ slug: z.string(), version: z.string() })),
})
export const RollBackTheme = z.strictObject({
  action: z.literal('rollback-theme'),
  expected: Digest,
})

export const PublicationOutcome = z.strictObject({ templates: z.int(), sites: z.int() })
/** How many templates and how many sites' stylesheets changed. */
export type PublicationOutcome = z.infer<typeof PublicationOutcome>

export function readTheme(databaseUrl: string): Promise<LiveTheme> {
  return withClient(databaseUrl, readLiveTheme)
}

/** Publishes all of it or nothing. @throws Error when the live theme is not the expected one */
export function publishTheme(
  databaseUrl: string,
  { expected, templates, stylesheets }: z.infer<typeof PublishTheme>,
): Promise<PublicationOutcome> {
  return inTransaction(databaseUrl, async (client) => {
    const live = await lockTheme(client, expected)
    const plan = planPublication(live, templates, stylesheets)
    if (isEmptyPlan(plan)) return { templates: 0, sites: 0 }
    await applyPlan(client, plan)
    await recordPublication(client, templates, plan)
    return toOutcome(plan)
  })
}

/** Takes the newest publication back. @throws Error as `publishTheme`, and when nothing was published */
export function rollBackTheme(
  databaseUrl: string,
  { expected }: z.infer<typeof RollBackTheme>,
): Promise<PublicationOutcome> {
  return inTransaction(databaseUrl, async (client) => {
    const live = await lockTheme(client, expected)
    const plan = planRollback(live)
    if (!plan) throw new Error('Nothing was published, so there is nothing to take back.')
    await applyPlan(client, plan)
    await client.query('DELETE FROM template_publications WHERE id = $1', [live.publication?.id])
    return toOutcome(plan)
  })
}

// Readers go on; other writers wait for the end of the transaction.
async function lockTheme(client: pg.Client, expected: string): Promise<LiveTheme> {
  await client.query(
    `LOCK TABLE template_elements, template_blocks, template_overrides, site_settings,
       template_publications IN SHARE ROW EXCLUSIVE MODE`,
  )
  const live = await readLiveTheme(client)
  if (live.digest === expected) return live
  throw new Error('The live theme has changed since it was compared. Look at --diff again.')
}

async function applyPlan(client: pg.Client, { templates, stylesheets }: Plan): Promise<void> {
  const writes = templates.flatMap(({ after }) => after ?? [])
  const deletions = templates.flatMap(({ before, after }) => (before && !after ? before : []))
  for (const template of writes.toSorted(defaultsFirst)) await writeTemplate(client, template)
  for (const template of deletions.toSorted(defaultsFirst).toReversed())
    await deleteTemplate(client, template)
  for (const change of stylesheets) await writeStylesheet(client, change)
}

const defaultsFirst = (one: Template, other: Template): number =>
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
  if (!rowCount) throw new Error(`${toTemplatePath(template)} has no default that it replaces.`)
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
      `${toTemplatePath(template)} cannot be deleted: a theme or a site has a template of its own for it.`,
    )
}

async function writeStylesheet(client: pg.Client, { after }: StylesheetChange): Promise<void> {
  await client.query(
    `UPDATE site_settings SET css_version = $2 FROM sites WHERE sites.id = site_id AND acronym = $1`,
    [after.acronym, after.version],
  )
}

async function recordPublication(
  client: pg.Client,
  templates: readonly Template[],
  plan: Plan,
): Promise<void> {
  const before = {
    templates: plan.templates.map(({ path, before: template }) => ({ path, template })),
    stylesheets: plan.stylesheets.map((change) => change.before),
  }
  await client.query('INSERT INTO template_publications (paths, before) VALUES ($1, $2)', [
    templates.map(toTemplatePath),
    JSON.stringify(before),
  ])
}

const toOutcome = ({ templates, stylesheets }: Plan): PublicationOutcome => ({
  templates: templates.length,
  sites: stylesheets.length,
})
