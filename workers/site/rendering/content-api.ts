import type { ArticlePage } from '../../../contract/article.ts'
import type { AuthorProfile } from '../../../contract/author.ts'
import type { LinkedAlternate } from '../../../contract/link.ts'
import type { ListParameters, ListResponse } from '../../../contract/list.ts'
import type { Redirect } from '../../../contract/redirect.ts'
import type { SitemapResponse } from '../../../contract/sitemap.ts'

/** `not-found`: a 404, or a 400 that a value out of the path (a cursor) caused. */
export type ContentResult<T> = { type: 'ok'; value: T } | { type: 'not-found' }

type ArticleResult =
  | { type: 'ok'; value: ArticlePage }
  | { type: 'not-found'; redirect?: Redirect | undefined }
  | { type: 'other-languages'; alternates: readonly LinkedAlternate[] }

/** Parameters of a list, without those that the API has a default for. */
type ListQuery = Pick<ListParameters, 'kind'> & Partial<ListParameters>

/** The site's content as rendering reads it. Methods throw when the API fails; a definite result is a value. */
export interface ContentApi {
  article(
    slug: string,
    parameters: { language?: string; version?: number; related_limit?: number },
  ): Promise<ArticleResult>
  author(slug: string): Promise<ContentResult<AuthorProfile>>
  list(query: ListQuery): Promise<ContentResult<ListResponse>>
  sitemap(parameters: { limit?: number; cursor?: string }): Promise<ContentResult<SitemapResponse>>
}
