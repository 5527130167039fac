import type { SortKey } from '../cursor.ts'

/**
 * Selection of the articles of a list. Lists are sorted by rank, then newest first. The rank is a number; in lists that
 * are only sorted newest first, it is null in all rows.
 */
export type ListSelection =
  | { by: 'recent' | 'featured' | 'homepage' | 'trending' }
  | { by: 'category'; ids: number[] }
  | { by: 'author'; id: number }
  | ({ by: 'related' } & ReferenceArticle)
  | { by: 'search'; q: string }

/** The article whose related articles are listed. */
export interface ReferenceArticle {
  id: number
  language: string
  categoryId: number | null
  tagIds: number[]
}

/** Values and conditions that all statements of a list use. */
export interface ListScope {
  /** Returns the placeholder of a value. */
  bind(value: unknown): string
  /** Placeholder of the maximum number of rows. */
  limit: string
  /** SQL condition: the article `a` is visible. */
  visible: string
  /** Sort key of the last row of the previous page; undefined for the first page. */
  after: SortKey | undefined
}

/** Creates the text of a statement that selects articles with their rank. */
export type ListQuery = (scope: ListScope) => string

/** Creates the statements of a list. Each runs only when the ones before it did not fill the page. */
export function toListQueries(selection: ListSelection, after: SortKey | undefined): ListQuery[] {
  switch (selection.by) {
    case 'recent':
      return [selectNewest(() => 'true')]
    case 'featured':
      return [selectNewest(() => 'a.is_featured')]
    case 'author':
      return [selectNewest(({ bind }) => `a.author_id = ${bind(selection.id)}`)]
    case 'search':
      return [selectNewest(({ bind }) => toSearchCondition(bind(toPattern(selection.q))))]
    case 'category':
      return [selectByCategories(selection.ids)]
    case 'homepage':
      return [selectByRank(toHomepageRanking)]
    case 'trending':
      return [selectByRank(toTrendingRanking)]
    case 'related':
      return toRelatedQueries(selection, after)
    default:
      return selection satisfies never
  }
}

const selectNewest =
  (toFilter: (scope: ListScope) => string): ListQuery =>
  (scope) => {
    const { bind, limit, visible, after } = scope
    const [publishedAt, id] = after ?? []
    const afterCursor = after
      ? `AND (a.published_at, a.id) < (${bind(toDate(publishedAt))}, ${bind(id)})`
      : ''
    return `SELECT NULL::integer AS rank, a.* FROM articles a
  WHERE ${visible} AND ${toFilter(scope)} ${afterCursor}
  ORDER BY a.published_at DESC, a.id DESC LIMIT ${limit}`
  }

// `ids` are the rows of one category, one for each language. The statement selects up to `limit` articles for each row,
// by an index scan; queries.ts sorts them together and keeps the first `limit`.
const selectByCategories =
  (ids: number[]): ListQuery =>
  (scope) => {
    const selectInCategory = selectNewest(() => 'a.category_id = chosen.id')
    return `SELECT page.* FROM unnest(${scope.bind(ids)}::integer[]) AS chosen (id)
  CROSS JOIN LATERAL (${selectInCategory(scope)}) page`
  }

/** SQL of a rank and of the articles that have it. */
interface Ranking {
  rank: string
  join?: string
  filter: string
}

const selectByRank =
  (toRanking: (scope: ListScope) => Ranking): ListQuery =>
  (scope) => {
    const { bind, limit, visible, after } = scope
    const { rank, join = '', filter } = toRanking(scope)
    const [lastRank, publishedAt, id] = after ?? []
    const afterCursor = after
      ? `AND (${rank}, a.published_at, a.id) < (${bind(lastRank)}, ${bind(toDate(publishedAt))}, ${bind(id)})`
      : ''
    return `SELECT ${rank} AS rank, a.* FROM articles a ${join}
  WHERE ${visible} AND ${filter} ${afterCursor}
  ORDER BY ${rank} DESC, a.published_at DESC, a.id DESC LIMIT ${limit}`
  }

// The position is negated, so that all three sort keys descend, as in the index.
const toHomepageRanking = (): Ranking => ({
  rank: '(-coalesce(a.homepage_position, 2147483647))',
  filter: 'a.show_in_homepage',
})

// The filter repeats a part of the comparison with the sort key, because it can use the index on the score.
const toTrendingRanking = ({ bind, after }: ListScope): Ranking => ({
  rank: 'score.score',
  join: 'JOIN article_scores score ON score.article_id = a.id AND score.site_id = a.site_id',
  filter: after ? `score.score <= ${bind(after[0])}` : 'true',
})

/**
 * The rank of a related article is twice the number of shared tags, plus one for the same category. Each number of
 * shared tags has a statement, the greatest number first, because the first statements usually fill the page.
 */
function toRelatedQueries(reference: ReferenceArticle, after: SortKey | undefined): ListQuery[] {
  const maxShared = after ? Math.floor((after[0] ?? 0) / 2) : reference.tagIds.length
  const sharedCounts = Array.from({ length: maxShared }, (_, i) => maxShared - i)
  return [
    ...sharedCounts.map((shared) => selectByRank(toSharedTagsRanking(reference, shared))),
    selectByRank(toSameCategoryRanking(reference)),
  ]
}

const toSharedTagsRanking =
  ({ id, language, categoryId, tagIds }: ReferenceArticle, shared: number) =>
  ({ bind }: ListScope): Ranking => {
    const count = `${bind(shared)}::integer`
    return {
      rank: `(2 * ${count} + coalesce(a.category_id = ${bind(categoryId)}, false)::integer)`,
      join: `JOIN (SELECT article_id FROM article_tags WHERE tag_id = ANY (${bind(tagIds)})
    GROUP BY article_id HAVING count(*) = ${count}) shared ON shared.article_id = a.id`,
      filter: `a.id <> ${bind(id)} AND a.language = ${bind(language)}`,
    }
  }

const toSameCategoryRanking =
  ({ id, language, categoryId, tagIds }: ReferenceArticle) =>
  ({ bind }: ListScope): Ranking => ({
    // A plain 1 in ORDER BY would mean the first column.
    rank: '1::integer',
    filter: `a.id <> ${bind(id)} AND a.language = ${bind(language)} AND a.category_id = ${bind(categoryId)}
    AND NOT EXISTS (SELECT FROM article_tags own WHERE own.article_id = a.id AND own.tag_id = ANY (${bind(tagIds)}))`,
  })

const toSearchCondition = (pattern: string): string =>
  `(a.title ILIKE ${pattern} OR a.description ILIKE ${pattern})`

/** Creates a LIKE pattern that finds the text anywhere; `%`, `_` and `\` are literal. */
const toPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const toDate = (milliseconds = 0): Date => new Date(milliseconds)
