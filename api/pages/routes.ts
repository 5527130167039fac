import * as z from 'zod/mini'
import { ArticlePage, ArticleParameters } from '../../contract/article.ts'
import type { ListItem } from '../../contract/list.ts'
import { Slug } from '../../contract/primitives.ts'
import { toListItem } from '../content/card.ts'
import { toArticlePath } from '../content/paths.ts'
import type { Query } from '../database.ts'
import { defineEndpoint, type Reading, type ReadRequest } from '../endpoint.ts'
import { readList } from '../lists/store.ts'
import { notFound } from '../problem.ts'
import { toArticlePage } from './article.ts'
import { type ArticleKey, type ArticleRow, readArticle, readLanguages } from './store.ts'

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
      const related = await readRelated(query, row, request)
      const version = key.version ?? null
      return { type: 'value', value: toArticlePage(row, { site: key.site, version, related }) }
    },
  })

function toKey({ site, slug, parameters, preview }: Request): ArticleKey {
  if (!z.safeParse(Slug, slug).success) throw notFound(NO_ARTICLE)
  return { site, slug, language: parameters.language, version: parameters.version, preview }
}

async function readRelated(query: Query, row: ArticleRow, request: Request): Promise<ListItem[]> {
  const { site, parameters } = request
  const limit = parameters.related_limit
  if (limit === 0) return []
  const { id, language, category_id: categoryId } = row
  const tagIds = (row.tags ?? []).map((tag) => tag.id)
  const selection = { by: 'related', id, language, categoryId, tagIds } as const
  const rows = await readList(query, { site, selection, limit })
  return rows.map((card) => toListItem(card, site))
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
