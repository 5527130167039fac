import type { ArticlePage } from '../../../contract/article.ts'
import type { AuthorProfile } from '../../../contract/author.ts'
import type { LinkedAlternate } from '../../../contract/link.ts'
import type { ListParameters, ListResponse } from '../../../contract/list.ts'
import type { SitemapResponse } from '../../../contract/sitemap.ts'

/** `not-found` stands for a 404, and for a 400 that a value out of the path (a cursor) caused. */
type Answer<T> = { type: 'ok'; value: T } | { type: 'not-found' }

type ArticleAnswer =
  | Answer<ArticlePage>
  | { type: 'other-languages'; alternates: readonly LinkedAlternate[] }

/** Parameters of a list, without those that the API has a default for. */
type ListQuery = Pick<ListParameters, 'kind'> & Partial<ListParameters>

/** The site's content as the engine asks for it. Methods throw when the API fails; a definite answer is a value. */
export interface ContentApi {
  article(
    slug: string,
    parameters: { language?: string; version?: number; related_limit?: number },
  ): Promise<ArticleAnswer>
  author(slug: string): Promise<Answer<AuthorProfile>>
  list(query: ListQuery): Promise<Answer<ListResponse>>
  sitemap(parameters: { limit?: number; cursor?: string }): Promise<Answer<SitemapResponse>>
}
