import { parseArgs } from 'node:util'
import type pg from 'pg'
import { advanceSequences, insertRows, reserveIds } from '../prisma/rows.ts'
import { inTransaction } from '../prisma/transaction.ts'
import { readTemplates } from '../themes/templates.ts'
import { importSite } from './import-site.ts'
import { startOfDay } from './instant.ts'
import { NEWSROOMS, readGlobalSettings, readNewsroom, type Settings } from './newsroom.ts'

interface Progress {
  done: number
  total: number
}

interface SeedOptions {
  /** Number of articles, at most 100,000; never fewer than there are files. */
  articles?: number
  /** Hosts by the sites' acronyms, where they differ from the content files. */
  domains?: Record<string, string>
  /** Day that all dates are relative to; by default today. The same day produces the same rows. */
  reference?: Date
  onProgress?(progress: Progress): void
}

/** Distribution of the generated articles over the newsrooms. */
const SHARES: Record<string, number> = { harbour: 0.6, meridian: 0.4 }

/**
 * Fills an empty, migrated database with the demo newsrooms, in one transaction. Does nothing when it has a site.
 */
export async function seed(
  databaseUrl: string,
  options: SeedOptions = {},
): Promise<{ seeded: boolean; articles: number }> {
  return inTransaction(databaseUrl, async (client) => {
    const ids = await reserveIds(client)
    const { rowCount } = await client.query('SELECT FROM sites LIMIT 1')
    if (rowCount) return { seeded: false, articles: 0 }
    const newsrooms = await Promise.all(NEWSROOMS.map(readNewsroom))
    const fileCount = newsrooms.reduce((sum, { articles }) => sum + articles.length, 0)
    const total = Math.max(fileCount, Math.min(options.articles ?? 0, 100_000))
    const templates = await readTemplates(ids)
    await updateGlobalSettings(client, await readGlobalSettings())
    await insertRows(client, templates.rows)
    const restoreIndex = await dropSearchIndex(client)
    let done = 0
    for (const newsroom of newsrooms)
      await importSite(client, newsroom, {
        ids,
        templates,
        domain: options.domains?.[newsroom.site.acronym],
        reference: startOfDay(options.reference ?? new Date()),
        variations: Math.round((total - fileCount) * (SHARES[newsroom.site.acronym] ?? 0)),
        onArticles: (count) => {
          done += count
          options.onProgress?.({ done, total })
        },
      })
    await restoreIndex()
    await advanceSequences(client)
    return { seeded: true, articles: done }
  })
}

// Building the trigram index at the end is much faster than updating it with every row.
async function dropSearchIndex(client: pg.Client): Promise<() => Promise<unknown>> {
  const { rows } = await client.query<{ definition: string }>(
    `SELECT pg_get_indexdef('articles_search_idx'::regclass) AS definition`,
  )
  await client.query('DROP INDEX articles_search_idx')
  return async () => {
    for (const { definition } of rows) await client.query(definition)
  }
}

async function updateGlobalSettings(client: pg.Client, settings: Settings): Promise<void> {
  await client.query(
    `UPDATE global_settings SET (${Object.keys(settings).join(', ')}) =
      (SELECT ${Object.keys(settings).join(', ')} FROM json_populate_record(NULL::global_settings, $1))`,
    [JSON.stringify(settings)],
  )
}

async function runCommand(): Promise<void> {
  const { values } = parseArgs({
    options: { 'database-url': { type: 'string' }, articles: { type: 'string', default: '0' } },
  })
  const databaseUrl = values['database-url'] ?? process.env.DATABASE_URL
  if (!databaseUrl)
    throw new Error(
      'Database URL is missing. Pass --database-url postgresql://… or set DATABASE_URL.',
    )
  if (!/^\d+$/.test(values.articles))
    throw new Error(`--articles must be a whole number, not "${values.articles}".`)
  const { seeded, articles } = await seed(databaseUrl, {
    articles: Number(values.articles),
    onProgress: showProgress,
  })
  console.log(
    seeded ? `\n${articles} articles` : 'The database has sites already: nothing was changed.',
  )
}

function showProgress({ done, total }: Progress): void {
  const filled = Math.round((40 * done) / total)
  process.stdout.write(`\r[${'█'.repeat(filled).padEnd(40, '·')}] ${done}/${total}`)
}

if (import.meta.main)
  await runCommand().catch((error) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
