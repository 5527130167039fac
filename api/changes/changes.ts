import * as z from 'zod/mini'
import {
  ArticleChange,
  type ArticleRef,
  ArticleState,
  type ChangesResponse,
  MAX_RELATED,
} from '../../contract/changes.ts'
import type { Query } from '../database.ts'
import type { SiteState } from '../site/resolve.ts'
import {
  type ChangeRow,
  findLastRevision,
  hasRevision,
  type RevisionRange,
  readChangeRows,
  readRelatedTo,
  readTranslations,
} from './queries.ts'

/** Maximum lookups of related articles per response; more make the response a reset. */
const MAX_LOOKUPS = 50
/** Maximum translations per response; more make the response a reset. */
const MAX_TRANSLATIONS = 10_000

interface ChangesQuery {
  site: SiteState
  /** `<site revision>.<global revision>` */
  after: string
  limit: number
}

/**
 * Returns the changes of a site after a revision, up to the revision that reaches the limit. A row that does not match
 * the contract makes the response a reset instead of an error.
 */
export async function readChanges(
  query: Query,
  { site, after, limit }: ChangesQuery,
): Promise<ChangesResponse> {
  const [own, shared] = parseRevision(after)
  const [newestOwn, newestShared] = parseRevision(site.revision)
  const isInLog = own === newestOwn || (own < newestOwn && (await hasRevision(query, site.id, own)))
  if (!isInLog || shared > newestShared) return toReset(site)
  const unlimited = { siteId: site.id, after: own, until: newestOwn }
  const range = { ...unlimited, until: await findLastRevision(query, unlimited, limit) }
  const rows = await readChangeRows(query, range)
  const articles = await toArticleChanges(query, { site, range, rows })
  if (!articles) return toReset(site)
  return {
    revision: `${range.until}.${newestShared}`,
    restore_id: site.restoreId,
    reset: false,
    settings: newestShared > shared || rows.some(({ kind }) => kind === 'settings'),
    scores: rows.some(({ kind }) => kind === 'scores'),
    articles,
  }
}

/** Creates a response with the newest revision, in which everything counts as changed. */
export const toReset = (site: SiteState): ChangesResponse => ({
  revision: site.revision,
  restore_id: site.restoreId,
  reset: true,
  settings: true,
  scores: true,
  articles: [],
})

function parseRevision(token: string): [own: bigint, shared: bigint] {
  const [own = '', shared = ''] = token.split('.')
  return [BigInt(own), BigInt(shared)]
}

interface LoggedChanges {
  site: SiteState
  range: RevisionRange
  rows: ChangeRow[]
}

/** Returns undefined when a row does not match the contract, or when too many lookups are necessary. */
async function toArticleChanges(
  query: Query,
  { site, range, rows }: LoggedChanges,
): Promise<ArticleChange[] | undefined> {
  const changed = rows.filter(({ kind }) => kind === 'article')
  if (changed.length === 0) return []
  const lookups = changed.filter(({ tag_ids }) => tag_ids !== null)
  const translations = await readTranslations(query, range, MAX_TRANSLATIONS + 1)
  if (lookups.length > MAX_LOOKUPS || translations.length > MAX_TRANSLATIONS) return undefined
  const related = new Map<string, ArticleRef[]>()
  for (const row of lookups) related.set(row.id, await readRelated(query, site, row))
  const alternates = Map.groupBy(translations, ({ change_id }) => change_id)
  const changes = changed.map((row) => ({
    id: row.article_id,
    before: row.before,
    after: row.after,
    related: related.get(row.id) ?? [],
    alternates: (alternates.get(row.id) ?? []).map(({ slug, language }) => ({ slug, language })),
  }))
  return z.safeParse(z.array(ArticleChange), changes).data
}

async function readRelated(query: Query, site: SiteState, row: ChangeRow): Promise<ArticleRef[]> {
  const before = ArticleState.safeParse(row.before)
  if (!before.success) return []
  const reference = {
    id: row.article_id,
    language: before.data.language,
    categoryId: row.category_id,
    tagIds: row.tag_ids ?? [],
  }
  return readRelatedTo(query, site, reference, MAX_RELATED)
}
