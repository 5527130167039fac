import { ARTICLE_CONTENT_TYPES } from '../../contract/article.ts'

const TYPES = ARTICLE_CONTENT_TYPES.map((type) => `'${type}'`).join(', ')

/** What is served as an article at all. */
export const isArticle = (alias: string): string => `${alias}.content_type IN (${TYPES})`

/** What a reader may see at an instant, given as a parameter of the statement. */
export const isVisible = (alias: string, now: string): string =>
  `${alias}.status = 'published' AND ${alias}.published_at <= ${now} AND ${isArticle(alias)}`
