import { marked } from 'marked'
import { appendRows, type Ids, type Row, type Rows } from '../prisma/rows.ts'
import type { ArticleFile } from './article-file.ts'
import { toImageRow } from './image-rows.ts'
import { addDays, toInstant } from './instant.ts'
import type { Newsroom } from './newsroom.ts'
import { createRandom, toUuid } from './random.ts'
import type { RowIds } from './site-rows.ts'

interface ArticleRowsContext {
  newsroom: Newsroom
  rowIds: RowIds
  ids: Ids
  /** Start of the day that the content's dates are relative to. */
  reference: Date
}

/** Returns the rows of the newsroom's articles; a translation shares the translation group of its original. */
export function toArticleRows(context: ArticleRowsContext): Rows {
  const { articles } = context.newsroom
  const originals = new Map(articles.map((article) => [article.slug, article]))
  const rows: Rows = {}
  for (const article of articles) {
    const original = article.translates ? originals.get(article.translates) : article
    if (!original) throw new Error(`${article.slug}: there is no article "${article.translates}"`)
    appendRows(rows, toRowsOfArticle(article, original, context))
  }
  return rows
}

function toRowsOfArticle(
  article: ArticleFile,
  original: ArticleFile,
  context: ArticleRowsContext,
): Rows {
  const { rowIds, ids } = context
  const file = inheritFields(article, original)
  const image = toPicture(file, original, context)
  const id = ids.next('articles')
  const instants = toInstants(file, context.reference)
  const versionedColumns = { ...toVersionedColumns(file, rowIds), image_id: image?.id ?? null }
  const row = {
    id,
    site_id: rowIds.siteId,
    slug: file.slug,
    language: file.language,
    translation_group: toUuid(`${context.newsroom.site.acronym}/${original.slug}`),
    content_type: file.type,
    status: file.status,
    homepage_position: file.homepage ?? null,
    seo_title: file.seo_title ?? null,
    seo_robots: file.seo_robots ?? null,
    ...versionedColumns,
    ...instants,
  }
  return {
    images: image ? [image] : [],
    articles: [row],
    article_tags: file.tags.map((tag) => ({
      article_id: id,
      tag_id: rowIds.tagId(tag, file.language),
    })),
    article_versions: toVersions(file, id, versionedColumns, instants.created_at),
    article_scores: toScores(id, rowIds.siteId, file, instants.published_at, context.reference),
  }
}

/** Returns the article; a translation with the original's fields where it omits them. */
function inheritFields(article: ArticleFile, original: ArticleFile): ArticleFile {
  if (article === original) return article
  const { category, author, published, homepage, featured, tags } = original
  return {
    ...article,
    category: article.category ?? category,
    author: article.author ?? author,
    published: article.published ?? published,
    homepage: article.homepage ?? homepage,
    featured: article.featured || featured,
    tags: article.tags.length > 0 ? article.tags : tags,
  }
}

/** Returns the picture of the original with the translation's texts, where it has some. */
function toPicture(
  file: ArticleFile,
  original: ArticleFile,
  context: ArticleRowsContext,
): Row | undefined {
  if (!original.image) return undefined
  const { rowIds, ids, newsroom } = context
  const texts = { ...original.image, ...file.image }
  const key = `articles/${newsroom.site.acronym}/${original.slug}`
  return toImageRow(ids.next('images'), rowIds.siteId, { key, kind: 'article', ...texts })
}

function toInstants({ slug, published, status }: ArticleFile, reference: Date) {
  const random = createRandom(`instants/${slug}`)
  const publishedAt = published === undefined ? null : toInstant(published, reference)
  // Scheduled articles and drafts were written before the reference day.
  const writtenAt = publishedAt && publishedAt < reference ? publishedAt : addDays(reference, -0.3)
  const createdAt = addDays(writtenAt, -0.2 - 4 * random.next())
  const updatedAt = addDays(writtenAt, random.next() < 0.4 ? 0.2 * random.next() : 0)
  return {
    published_at: status === 'draft' ? null : publishedAt,
    created_at: createdAt,
    updated_at: updatedAt,
  }
}

/** Returns the columns that a version of the article has too. */
function toVersionedColumns(file: ArticleFile, rowIds: RowIds) {
  const body = marked.parse(file.markdown, { async: false })
  return {
    title: file.title,
    subtitle: file.subtitle ?? null,
    description: file.description,
    body_html: body,
    word_count: countWords(body),
    category_id: file.category ? rowIds.categoryId(file.category, file.language) : null,
    author_id: file.author ? rowIds.authorId(file.author) : null,
    is_featured: file.featured,
    show_in_homepage: file.show_in_homepage,
  }
}

/**
 * Returns a version for each earlier title, with a growing part of the text, and one of the current article.
 */
function toVersions(file: ArticleFile, id: number, current: Row, createdAt: Date): Row[] {
  const titles = file.earlier_titles
  if (titles.length === 0) return []
  const blocks = file.markdown.trim().split('\n\n')
  const snapshots = titles.map((title, index) => {
    const blockCount = Math.ceil((blocks.length * (index + 1)) / (titles.length + 1))
    const body = marked.parse(blocks.slice(0, blockCount).join('\n\n'), { async: false })
    return { ...current, title, body_html: body, word_count: countWords(body) }
  })
  return [...snapshots, current].map((snapshot, index) => ({
    article_id: id,
    version: index + 1,
    snapshot,
    created_at: addDays(createdAt, index * 0.05),
  }))
}

function toScores(
  id: number,
  siteId: number,
  { slug, status, homepage }: ArticleFile,
  published: Date | null,
  reference: Date,
): Row[] {
  if (status !== 'published' || !published || published >= reference) return []
  const age = (reference.getTime() - published.getTime()) / 86_400_000
  const reads = 400 + 4000 * createRandom(`score/${slug}`).next() + (homepage ? 2500 : 0)
  return [{ article_id: id, site_id: siteId, score: Math.round(reads / (1 + age / 5)) }]
}

/** Returns the number of words in the text of an HTML fragment. */
export function countWords(html: string): number {
  const text = html.replaceAll(/<[^>]*>/g, ' ')
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu)?.length ?? 0
}
