import type pg from 'pg'
import * as z from 'zod/mini'
import { withClient } from '../prisma/connection.ts'
import { inTransaction } from '../prisma/transaction.ts'
import { applyPlan } from './apply-plan.ts'
import { type LiveTheme, readLiveTheme, Template, toTemplatePath } from './live-theme.ts'
import { isEmptyPlan, type Plan, planPublication, planRollback } from './plan.ts'

const Digest = z.string().check(z.regex(/^[0-9a-f]{64}$/))

/** Events of the migration function. `expected` is the digest of the live theme that was compared. */
const ReadTheme = z.strictObject({ action: z.literal('read-theme') })
const PublishTheme = z.strictObject({
  action: z.literal('publish-theme'),
  expected: Digest,
  templates: z.array(Template).check(z.minLength(1), z.maxLength(5000)),
  stylesheets: z.array(z.strictObject({ slug: z.string(), version: z.string() })),
})
const RollBackTheme = z.strictObject({ action: z.literal('rollback-theme'), expected: Digest })

const ThemeEvent = z.discriminatedUnion('action', [ReadTheme, PublishTheme, RollBackTheme])

const ACTIONS: readonly string[] = ['read-theme', 'publish-theme', 'rollback-theme']
const ThemeAction = z.object({
  action: z.string().check(z.refine((name) => ACTIONS.includes(name))),
})

/** Whether an event of the migration function has an action for themes; its other members may be invalid. */
export const isThemeEvent = (event: unknown): boolean => ThemeAction.safeParse(event).success

/**
 * Handles an event. Returns the live theme for `read-theme`, otherwise
 * the outcome of the publication or rollback.
 *
 * @throws Error when the event is malformed, the live theme has changed, or nothing was published
 */
export async function handleThemeEvent(
  databaseUrl: string,
  input: unknown,
): Promise<LiveTheme | PublicationOutcome> {
  const { success, data, error } = ThemeEvent.safeParse(input)
  if (!success) throw new Error(`Invalid event:\n${z.prettifyError(error)}`)
  switch (data.action) {
    case 'read-theme':
      return readTheme(databaseUrl)
    case 'publish-theme':
      return publishTheme(databaseUrl, data)
    case 'rollback-theme':
      return rollBackTheme(databaseUrl, data)
    default:
      return data satisfies never
  }
}

export const PublicationOutcome = z.strictObject({ templates: z.int(), sites: z.int() })
/** Number of changed templates, and of sites whose stylesheet changed. */
export type PublicationOutcome = z.infer<typeof PublicationOutcome>

/** Reads the live theme of a database. */
export function readTheme(databaseUrl: string): Promise<LiveTheme> {
  return withClient(databaseUrl, readLiveTheme)
}

/**
 * Publishes templates and stylesheets in one transaction.
 *
 * @throws Error when the live theme is not the expected one
 */
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

/**
 * Restores the theme before the newest publication.
 *
 * @throws Error as `publishTheme`, and when nothing was published
 */
function rollBackTheme(
  databaseUrl: string,
  { expected }: z.infer<typeof RollBackTheme>,
): Promise<PublicationOutcome> {
  return inTransaction(databaseUrl, async (client) => {
    const live = await lockTheme(client, expected)
    const plan = planRollback(live)
    if (!plan) throw new Error('Nothing was published, so there is nothing to roll back.')
    await applyPlan(client, plan)
    await client.query('DELETE FROM template_publications WHERE id = $1', [live.publication?.id])
    return toOutcome(plan)
  })
}

// Other transactions can read these tables; those that write to them wait until this one ends.
async function lockTheme(client: pg.Client, expected: string): Promise<LiveTheme> {
  await client.query(
    `LOCK TABLE template_elements, template_blocks, template_overrides, site_settings,
       template_publications IN SHARE ROW EXCLUSIVE MODE`,
  )
  const live = await readLiveTheme(client)
  if (live.digest === expected) return live
  throw new Error('The live theme has changed since it was compared. Look at --diff again.')
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
