import type pg from 'pg'
import { type Ids, insertRows, type Rows } from '../prisma/rows.ts'
import { listStylesheets, type TemplateRows } from '../themes/templates.ts'
import { toArticleRows } from './article-rows.ts'
import { addDays } from './instant.ts'
import type { Newsroom } from './newsroom.ts'
import { toSiteRows } from './site-rows.ts'
import { createVariations } from './variations.ts'

export interface ImportOptions {
  ids: Ids
  templates: TemplateRows
  /** Host of the site; by default that in its content file. */
  domain?: string | undefined
  /** Start of the day that the content's dates are relative to. */
  reference: Date
  /** Number of generated articles, in addition to those in files. */
  variations: number
  /** Called with the number of articles written since the last call. */
  onArticles(count: number): void
}

/** Writes one newsroom: its site, settings, people and articles. */
export async function importSite(
  client: pg.Client,
  newsroom: Newsroom,
  options: ImportOptions,
): Promise<void> {
  const { ids, templates, reference } = options
  const { site, settings } = newsroom
  const stylesheets = (await listStylesheets()).filter(({ slug }) => slug === settings.css_slug)
  const { rows, rowIds } = toSiteRows(newsroom, ids, {
    domain: options.domain ?? site.domain,
    cssVersion: stylesheets.at(-1)?.version,
    createdAt: addDays(reference, -2400),
  })
  const overrides = templates.toOverrides(site.acronym, rowIds.siteId)
  await insertRows(client, { ...rows, template_overrides: overrides })
  const context = { newsroom, rowIds, ids, reference }
  const articleRows = toArticleRows(context)
  await insertRows(client, articleRows)
  options.onArticles(newsroom.articles.length)
  const images = toImagesByLanguage(articleRows)
  for (const batch of createVariations({ ...context, images }, options.variations)) {
    await insertRows(client, batch)
    options.onArticles(batch.articles?.length ?? 0)
  }
}

function toImagesByLanguage({ articles = [] }: Rows): Map<unknown, number[]> {
  const byLanguage = Map.groupBy(articles, ({ language }) => language)
  return new Map(
    [...byLanguage].map(([language, rows]) => [
      language,
      rows.flatMap(({ image_id }) => (typeof image_id === 'number' ? image_id : [])),
    ]),
  )
}
