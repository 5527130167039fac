import type { Position } from '../cursor.ts'

/** Articles of a list, and their order before age. */
export type Selection =
  | { by: 'recent' | 'featured' | 'homepage' | 'trending' }
  | { by: 'category'; ids: number[] }
  | { by: 'author'; id: number }
  | ({ by: 'related' } & Reference)
  | { by: 'search'; q: string }

/** The article that others are related to. */
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

/** Statement that selects articles with their rank; it runs when those before it did not fill the page. */
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

// One walk of the index for each of its rows: there is one in each language.
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

// Negated, so that all three keys descend: the very expression of its index.
const HOMEPAGE = (): Ranking => ({
  rank: '(-coalesce(a.homepage_position, 2147483647))',
  filter: 'a.show_in_homepage',
})

// The index on scores is narrowed by the score alone; the comparison of rows does the rest.
const TRENDING = ({ bind, after }: Scope): Ranking => ({
  rank: 'score.score',
  join: 'JOIN article_scores score ON score.article_id = a.id AND score.site_id = a.site_id',
  filter: after ? `score.score <= ${bind(after[0])}` : 'true',
})

/**
 * Related articles rank by twice the number of shared tags, and one more for the same category. A statement per number,
 * the greatest first: few articles share many tags, and they mostly fill the page.
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

/** A text to look for anywhere, its own `%`, `_` and `\` taken literally. */
const toPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const toDate = (milliseconds = 0): Date => new Date(milliseconds)
