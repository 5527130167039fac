import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { marked } from 'marked'
import type pg from 'pg'
import { insertRows } from '../prisma/rows.ts'
import { type ArticleFile, parseArticleFile } from './article-file.ts'
import { countWords } from './article-rows.ts'
import { startOfDay, toInstant } from './instant.ts'
import { CONTENT, readNewsroomFile } from './newsroom.ts'

/**
 * Updates the rows of a content file that was saved or deleted: `<acronym>/articles/<slug>.<language>.md` or
 * `<acronym>/site.yaml`. Does nothing when the database does not have the site.
 *
 * @throws Error for a malformed file, and for any other file: only a new database gets its content
 */
export async function reloadContent(client: pg.Client, path: string): Promise<void> {
  const [acronym = '', folder = '', name = ''] = path.split('/')
  if (folder !== 'site.yaml' && folder !== 'articles')
    throw new Error(`Only a new database gets the content of ${path}.`)
  const { rows } = await client.query<{ id: number }>('SELECT id FROM sites WHERE acronym = $1', [
    acronym,
  ])
  const siteId = rows[0]?.id
  if (siteId === undefined) return
  if (folder === 'site.yaml') return updateSite(client, siteId, acronym)
  const text = await readFile(join(CONTENT, path), 'utf8').catch(() => undefined)
  if (text !== undefined) return putArticle(client, siteId, parseArticleFile(name, text))
  const [slug, language] = name.split('.')
  const key = [siteId, slug, language]
  await client.query('DELETE FROM articles WHERE (site_id, slug, language) = ($1, $2, $3)', key)
}

/**
 * Updates texts, author, category, flags, home page position and `updated_at` of an article. A new article also
 * gets `published_at`, status and type. Tags, picture and SEO columns are never written.
 */
async function putArticle(client: pg.Client, siteId: number, file: ArticleFile): Promise<void> {
  const body = marked.parse(file.markdown, { async: false })
  const columns = {
    title: file.title,
    subtitle: file.subtitle ?? null,
    description: file.description,
    body_html: body,
    word_count: countWords(body),
    is_featured: file.featured,
    show_in_homepage: file.show_in_homepage,
    homepage_position: file.homepage ?? null,
    ...(file.author && { author_id: await findId(client, 'authors', siteId, file.author) }),
    ...(file.category && {
      category_id: await findId(client, 'categories', siteId, file.category, file.language),
    }),
  }
  const key = { site_id: siteId, slug: file.slug, language: file.language }
  if ((await updateRow(client, 'articles', key, { ...columns, updated_at: new Date() })) > 0) return
  const publishedAt =
    file.published === undefined ? new Date() : toInstant(file.published, startOfDay(new Date()))
  const row = {
    ...key,
    ...columns,
    content_type: file.type,
    status: file.status,
    published_at: file.status === 'draft' ? null : publishedAt,
  }
  await insertRows(client, { articles: [row] })
}

/** Updates name, settings, labels, categories and authors of a site; rows are neither added nor deleted. */
async function updateSite(client: pg.Client, siteId: number, acronym: string): Promise<void> {
  const { site, settings, languages, categories, authors } = await readNewsroomFile(acronym)
  const bySite = { site_id: siteId }
  await updateRow(client, 'sites', { id: siteId }, { name: site.name, timezone: site.timezone })
  await updateRow(client, 'site_settings', bySite, settings)
  for (const { code, name, labels } of languages)
    await updateRow(client, 'site_languages', { ...bySite, code }, { name, labels })
  for (const { slug, names, descriptions } of categories)
    for (const [language, name] of Object.entries(names)) {
      const description = descriptions[language] ?? null
      await updateRow(client, 'categories', { ...bySite, slug, language }, { name, description })
    }
  for (const { slug, name, job_title, bio } of authors) {
    const columns = { name, job_title, bio_html: `<p>${bio.trim()}</p>` }
    await updateRow(client, 'authors', { ...bySite, slug }, columns)
  }
}

/** Updates the rows with this key; returns their number. */
async function updateRow(client: pg.Client, table: string, key: object, columns: object) {
  const conditions = Object.keys(key).map((name) => `t.${name} = k.${name}`)
  const names = Object.keys(columns)
  const { rowCount } = await client.query(
    `UPDATE ${table} t SET ${names.map((name) => `${name} = v.${name}`).join(', ')}
     FROM json_populate_record(NULL::${table}, $1) k, json_populate_record(NULL::${table}, $2) v
     WHERE ${conditions.join(' AND ')}`,
    [JSON.stringify(key), JSON.stringify(columns)],
  )
  return rowCount ?? 0
}

async function findId(
  client: pg.Client,
  table: 'authors' | 'categories',
  siteId: number,
  slug: string,
  language?: string,
): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `SELECT id FROM ${table} WHERE site_id = $1 AND slug = $2 ${language ? 'AND language = $3' : ''}`,
    language ? [siteId, slug, language] : [siteId, slug],
  )
  if (!rows[0]) throw new Error(`The database has no row "${slug}" in ${table}.`)
  return rows[0].id
}
