import * as z from 'zod/mini'
import { ArticlePage, ArticleParameters } from '../../contract/article.ts'
import { Slug } from '../../contract/primitives.ts'
import { toArticlePath } from '../content/paths.ts'
import type { Query } from '../database.ts'
import { defineEndpoint, type Reading, type ReadRequest } from '../endpoint.ts'
import { notFound } from '../problem.ts'
import { toArticlePage } from './article.ts'
import { type ArticleKey, readArticle, readLanguages } from './queries.ts'
import { readRelated } from './related.ts'

type Request = ReadRequest<ArticleParameters>

export const createPageEndpoint = (query: Query) =>
  defineEndpoint({
    policy: 'page',
    path: '/pages/:slug',
    summary: 'One article with everything its page shows',
    parameters: ArticleParameters,
    answer: ArticlePage,
    isGated: ({ version }) => version !== undefined,
    read: async (request) => {
      const key = toKey(request)
      const row = await readArticle(query, key)
      if (!row) return skip(query, key)
      const related = await readRelated(query, row, key.site, request.parameters.related_limit)
      const version = key.version ?? null
      return { type: 'value', value: toArticlePage(row, { site: key.site, version, related }) }
    },
  })

function toKey({ site, slug, parameters, preview }: Request): ArticleKey {
  if (!z.safeParse(Slug, slug).success) throw notFound(NO_ARTICLE)
  return { site, slug, language: parameters.language, version: parameters.version, preview }
}

/** A slug of another language is skipped, not missing. */
async function skip(
  query: Query,
  { site, slug, language, version }: ArticleKey,
): Promise<Reading<never>> {
  const asked = language !== undefined && version === undefined
  const rows = asked ? await readLanguages(query, { site, slug }) : []
  if (rows.length === 0) throw notFound(NO_ARTICLE)
  const alternates = rows.map(({ language }) => ({
    language,
    path: toArticlePath(slug, language, site),
  }))
  return { type: 'elsewhere', alternates }
}

const NO_ARTICLE = 'There is no such article.'
