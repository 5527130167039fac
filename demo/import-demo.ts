import type pg from 'pg'
import { advanceSequences, insertRows, reserveIds } from '../prisma/rows.ts'
import { inTransaction } from '../prisma/transaction.ts'
import { requireUnusedNames } from '../themes/create-site.ts'
import { readTemplates } from '../themes/templates.ts'
import { importSite } from './import-site.ts'
import { startOfDay } from './instant.ts'
import { type NEWSROOMS, readNewsroom } from './newsroom.ts'

/**
 * Adds a demo newsroom to a database in use. The defaults and the templates of themes are written only
 * when the database has no templates; this site's own templates are always written.
 *
 * @throws Error when a site has the acronym or domain
 */
export async function importDemo(
  databaseUrl: string,
  { acronym, domain }: { acronym: (typeof NEWSROOMS)[number]; domain?: string },
): Promise<{ articles: number }> {
  return inTransaction(databaseUrl, async (client) => {
    const ids = await reserveIds(client)
    const newsroom = await readNewsroom(acronym)
    await requireUnusedNames(client, acronym, domain ?? newsroom.site.domain)
    const templates = await readTemplates(ids)
    const elementIds = await findElementIds(client)
    if (!elementIds) await insertRows(client, templates.rows)
    await importSite(client, newsroom, {
      ids,
      templates: {
        ...templates,
        toOverrides: (name, siteId) => templates.toOverrides(name, siteId, elementIds),
      },
      domain,
      reference: startOfDay(new Date()),
      variations: 0,
      onArticles: () => {},
    })
    await advanceSequences(client)
    return { articles: newsroom.articles.length }
  })
}

/** Returns the ids of the default templates by key; undefined when the database has no templates. */
async function findElementIds(client: pg.Client): Promise<Map<string, number> | undefined> {
  const { rows } = await client.query<{ key: string; id: number }>(
    'SELECT key, id::int FROM template_elements',
  )
  return rows.length > 0 ? new Map(rows.map(({ key, id }) => [key, id])) : undefined
}
