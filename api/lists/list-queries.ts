import type { Position } from '../cursor.ts'

/** Selects the articles of a list and their rank; equal ranks are sorted by age. */
export type Selection =
  | { by: 'recent' | 'featured' | 'homepage' | 'trending' }
  | { by: 'category'; ids: number[] }
  | { by: 'author'; id: number }
  | ({ by: 'related' } & Reference)
  | { by: 'search'; q: string }

/** The article whose related articles are listed. */
export interface Reference {
  id: number
  language: string
  categoryId: number | null
  tagIds: number[]
}

/** Shared by all statements of a list. */
export interface Scope {
  bind(value: unknown): string
  limit: string
  visible: string
  after: Position | undefined
}

/** Creates a statement that selects articles with their rank. It runs only when the statements before it did not fill the page. */
export type ListQuery = (scope: Scope) => string

export function toListQueries(selection: Selection, after: Position | undefined): ListQuery[] {
  switch (selection.by) {
    case 'recent':
      return [newest(() => 'true')]
    case 'featured':
      return [newest(() => 'a.is_featured')]
    case 'author':
      return [newest(({ bind }) => `a.author_id = ${bind(selection.id)}`)]
    case 'search':
      return [newest(({ bind }) => toSearchCondition(bind(toPattern(selection.q))))]
    case 'category':
      return [perCategory(selection.ids)]
    case 'homepage':
      return [ranked(HOMEPAGE)]
    case 'trending':
      return [ranked(TRENDING)]
    case 'related':
      return toRelatedQueries(selection, after)
    default:
      return selection satisfies never
  }
}

const newest =
  (toFilter: (scope: Scope) => string): ListQuery =>
  (scope) => {
    const { bind, limit, visible, after } = scope
    const [publishedAt, id] = after ?? []
    const beyond = after
      ? `AND (a.published_at, a.id) < (${bind(toDate(publishedAt))}, ${bind(id)})`
      : ''
    return `SELECT NULL::integer AS rank, a.* FROM articles a
  WHERE ${visible} AND ${toFilter(scope)} ${beyond}
  ORDER BY a.published_at DESC, a.id DESC LIMIT ${limit}`
  }

// One index scan per row of the category, which has a row in each language.
const perCategory =
  (ids: number[]): ListQuery =>
  (scope) => {
    const walk = newest(() => 'a.category_id = chosen.id')
    return `SELECT page.* FROM unnest(${scope.bind(ids)}::integer[]) AS chosen (id)
  CROSS JOIN LATERAL (${walk(scope)}) page`
  }

interface Ranking {
  rank: string
  join?: string
  filter: string
}

const ranked =
  (toRanking: (scope: Scope) => Ranking): ListQuery =>
  (scope) => {
    const { bind, limit, visible, after } = scope
    const { rank, join = '', filter } = toRanking(scope)
    const [last, publishedAt, id] = after ?? []
    const beyond = after
      ? `AND (${rank}, a.published_at, a.id) < (${bind(last)}, ${bind(toDate(publishedAt))}, ${bind(id)})`
      : ''
    return `SELECT ${rank} AS rank, a.* FROM articles a ${join}
  WHERE ${visible} AND ${filter} ${beyond}
  ORDER BY ${rank} DESC, a.published_at DESC, a.id DESC LIMIT ${limit}`
  }

// Negated, so that all three keys descend, exactly as in the index.
const HOMEPAGE = (): Ranking => ({
  rank: '(-coalesce(a.homepage_position, 2147483647))',
  filter: 'a.show_in_homepage',
})

// The filter lets the index on scores skip rows; the row comparison is exact.
const TRENDING = ({ bind, after }: Scope): Ranking => ({
  rank: 'score.score',
  join: 'JOIN article_scores score ON score.article_id = a.id AND score.site_id = a.site_id',
  filter: after ? `score.score <= ${bind(after[0])}` : 'true',
})

/**
 * The rank of a related article is twice the number of shared tags, plus one for the same category. There is one
 * statement per number of shared tags, the greatest first, because the first few usually fill the page.
 */
function toRelatedQueries(reference: Reference, after: Position | undefined): ListQuery[] {
  const most = after ? Math.floor((after[0] ?? 0) / 2) : reference.tagIds.length
  const levels = Array.from({ length: most }, (_, i) => most - i)
  return [
    ...levels.map((shared) => ranked(sharingTags(reference, shared))),
    ranked(sharingCategory(reference)),
  ]
}

const sharingTags =
  ({ id, language, categoryId, tagIds }: Reference, shared: number) =>
  ({ bind }: Scope): Ranking => {
    const count = `${bind(shared)}::integer`
    return {
      rank: `(2 * ${count} + coalesce(a.category_id = ${bind(categoryId)}, false)::integer)`,
      join: `JOIN (SELECT article_id FROM article_tags WHERE tag_id = ANY (${bind(tagIds)})
    GROUP BY article_id HAVING count(*) = ${count}) shared ON shared.article_id = a.id`,
      filter: `a.id <> ${bind(id)} AND a.language = ${bind(language)}`,
    }
  }

const sharingCategory =
  ({ id, language, categoryId, tagIds }: Reference) =>
  ({ bind }: Scope): Ranking => ({
    rank: '1',
    filter: `a.id <> ${bind(id)} AND a.language = ${bind(language)} AND a.category_id = ${bind(categoryId)}
    AND NOT EXISTS (SELECT FROM article_tags own WHERE own.article_id = a.id AND own.tag_id = ANY (${bind(tagIds)}))`,
  })

const toSearchCondition = (pattern: string): string =>
  `(a.title ILIKE ${pattern} OR a.description ILIKE ${pattern})`

/** Creates a LIKE pattern that finds the text anywhere; `%`, `_` and `\` are literal. */
const toPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const toDate = (milliseconds = 0): Date => new Date(milliseconds)
