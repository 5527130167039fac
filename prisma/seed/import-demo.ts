import { refuseTaken } from './create-site.ts'
import { importSite } from './import-site.ts'
import { startOfDay } from './instant.ts'
import { type NEWSROOMS, readNewsroom } from './newsroom.ts'
import { insertRows, releaseIds, reserveIds } from './tables.ts'
import { readTemplates } from './templates.ts'
import { inTransaction } from './transaction.ts'

/**
 * Adds one demonstration newsroom to a database in use: refuses when its acronym or domain is taken.
 * Templates are written only where there are none.
 */
export async function importDemo(
  databaseUrl: string,
  { acronym, domain }: { acronym: (typeof NEWSROOMS)[number]; domain?: string },
): Promise<{ articles: number }> {
  return inTransaction(databaseUrl, async (client) => {
    const ids = await reserveIds(client)
    const newsroom = await readNewsroom(acronym)
    await refuseTaken(client, acronym, domain ?? newsroom.site.domain)
    const templates = await readTemplates(ids)
    const { rowCount } = await client.query('SELECT FROM template_elements LIMIT 1')
    if (!rowCount) await insertRows(client, templates.rows)
    await importSite(client, newsroom, {
      ids,
      templates: rowCount ? { ...templates, toOverrides: () => [] } : templates,
      domain,
      reference: startOfDay(new Date()),
      variations: 0,
      onArticles: () => {},
    })
    await releaseIds(client)
    return { articles: newsroom.articles.length }
  })
}
