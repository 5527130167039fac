import { ARTICLE_CONTENT_TYPES } from '../../contract/article.ts'

const QUOTED_TYPES = ARTICLE_CONTENT_TYPES.map((type) => `'${type}'`).join(', ')

/** SQL condition: the row of `articles` has a content type that is served as an article. */
export const toArticleCondition = (alias: string): string =>
  `${alias}.content_type IN (${QUOTED_TYPES})`

/** SQL condition: the row is an article that is published at the time `now`, a placeholder such as `$3`. */
export const toVisibleCondition = (alias: string, now: string): string =>
  `${alias}.status = 'published' AND ${alias}.published_at <= ${now} AND ${toArticleCondition(alias)}`
