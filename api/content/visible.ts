import { ARTICLE_CONTENT_TYPES } from '../../contract/article.ts'

const TYPES = ARTICLE_CONTENT_TYPES.map((type) => `'${type}'`).join(', ')

/** SQL condition: the row has a content type that is served as an article. */
export const isArticle = (alias: string): string => `${alias}.content_type IN (${TYPES})`

/** SQL condition: the row is visible at an instant, which is a parameter of the statement. */
export const isVisible = (alias: string, now: string): string =>
  `${alias}.status = 'published' AND ${alias}.published_at <= ${now} AND ${isArticle(alias)}`
