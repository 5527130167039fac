import { marked } from 'marked'
import type pg from 'pg'
import { parseArticleFile } from './article-file.ts'
import { countWords } from './article-rows.ts'

/**
 * Updates the article that a content file describes; returns whether the database has it.
 * Author, category, tags and dates stay as they are.
 *
 * @throws Error when the file does not parse
 */
export async function updateArticle(
  client: pg.Client,
  acronym: string,
  file: { name: string; text: string },
): Promise<boolean> {
  const article = parseArticleFile(file.name, file.text)
  const body = marked.parse(article.markdown, { async: false })
  const { rowCount } = await client.query(
    `UPDATE articles SET title = $4, subtitle = $5, description = $6, body_html = $7,
       word_count = $8, updated_at = now()
     FROM sites WHERE sites.id = site_id AND acronym = $1 AND slug = $2 AND language = $3`,
    [
      ...[acronym, article.slug, article.language],
      ...[article.title, article.subtitle ?? null, article.description],
      ...[body, countWords(body)],
    ],
  )
  return rowCount === 1
}
