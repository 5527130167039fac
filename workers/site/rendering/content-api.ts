import type { ArticlePage } from '../../../contract/article.ts'
import type { AuthorProfile } from '../../../contract/author.ts'
import type { LinkedAlternate } from '../../../contract/link.ts'
import type { ListParameters, ListResponse } from '../../../contract/list.ts'
import type { Redirect } from '../../../contract/redirect.ts'
import type { SitemapResponse } from '../../../contract/sitemap.ts'

/** `not-found`: the API responded with 404, or with 400 because of a value in the path, such as a cursor. */
export type ContentResult<T> = { type: 'ok'; value: T } | { type: 'not-found' }

type ArticleResult =
  | { type: 'ok'; value: ArticlePage }
  | { type: 'not-found'; redirect?: Redirect | undefined }
  | { type: 'other-languages'; alternates: readonly LinkedAlternate[] }

/** Parameters of a list; only `kind` has no default. */
type ListQuery = Pick<ListParameters, 'kind'> & Partial<ListParameters>

/** Reads the site's content. The methods throw when the API fails; "not found" is a result. */
export interface ContentApi {
  article(
    slug: string,
    parameters: { language?: string; version?: number; related_limit?: number },
  ): Promise<ArticleResult>
  author(slug: string): Promise<ContentResult<AuthorProfile>>
  list(query: ListQuery): Promise<ContentResult<ListResponse>>
  sitemap(parameters: { limit?: number; cursor?: string }): Promise<ContentResult<SitemapResponse>>
}
