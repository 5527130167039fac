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

/** Maximum number of lookups of related articles per response. With more, the response is a reset. */
const MAX_LOOKUPS = 50
/** Maximum number of translations per response. With more, the response is a reset. */
const MAX_TRANSLATIONS = 10_000

interface ChangesQuery {
  site: SiteState
  /** `<site revision>.<global revision>` */
  after: string
  limit: number
}

/**
 * Returns the changes of a site after the revision `after`. The last revision of the response is the one in which the
 * number of changes reaches `limit`. The response is a reset if `after` is not in the log, there are too many lookups or
 * translations, or a row does not match the contract.
 */
export async function readChanges(
  query: Query,
  { site, after, limit }: ChangesQuery,
): Promise<ChangesResponse> {
  const start = parseRevision(after)
  const newest = parseRevision(site.revision)
  const isInLog =
    start.ofSite === newest.ofSite ||
    (start.ofSite < newest.ofSite && (await hasRevision(query, site.id, start.ofSite)))
  if (!isInLog || start.global > newest.global) return toResetResponse(site)
  const wholeRange = { siteId: site.id, after: start.ofSite, until: newest.ofSite }
  const range = { ...wholeRange, until: await findLastRevision(query, wholeRange, limit) }
  const rows = await readChangeRows(query, range)
  const articles = await toArticleChanges(query, { site, range, rows })
  if (!articles) return toResetResponse(site)
  return {
    revision: `${range.until}.${newest.global}`,
    restore_id: site.restoreId,
    reset: false,
    settings: newest.global > start.global || rows.some(({ kind }) => kind === 'settings'),
    scores: rows.some(({ kind }) => kind === 'scores'),
    articles,
  }
}

/** Creates a reset: the caller must treat everything as changed, and continue from the newest revision. */
export const toResetResponse = (site: SiteState): ChangesResponse => ({
  revision: site.revision,
  restore_id: site.restoreId,
  reset: true,
  settings: true,
  scores: true,
  articles: [],
})

/** Creates a response with only the newest revision, without changes. */
export const toEmptyResponse = (site: SiteState): ChangesResponse => ({
  revision: site.revision,
  restore_id: site.restoreId,
  reset: false,
  settings: false,
  scores: false,
  articles: [],
})

function parseRevision(revision: string): { ofSite: bigint; global: bigint } {
  const [ofSite = '', global = ''] = revision.split('.')
  return { ofSite: BigInt(ofSite), global: BigInt(global) }
}

interface LoggedChanges {
  site: SiteState
  range: RevisionRange
  rows: ChangeRow[]
}

/** Returns undefined if a row does not match the contract, or there are too many lookups or translations. */
async function toArticleChanges(
  query: Query,
  { site, range, rows }: LoggedChanges,
): Promise<ArticleChange[] | undefined> {
  const changed = rows.filter(({ kind }) => kind === 'article')
  if (changed.length === 0) return []
  const withRelated = changed.filter(({ tag_ids }) => tag_ids !== null)
  const translations = await readTranslations(query, range, MAX_TRANSLATIONS + 1)
  if (withRelated.length > MAX_LOOKUPS || translations.length > MAX_TRANSLATIONS) return undefined
  const related = new Map<string, ArticleRef[]>()
  for (const row of withRelated) related.set(row.id, await readRelated(query, site, row))
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
  const previous = ArticleState.safeParse(row.before)
  if (!previous.success) return []
  const reference = {
    id: row.article_id,
    language: previous.data.language,
    categoryId: row.category_id,
    tagIds: row.tag_ids ?? [],
  }
  return readRelatedTo(query, site, reference, MAX_RELATED)
}
