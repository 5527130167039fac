import type {
  ArticleChange,
  ArticleRef,
  ArticleState,
  ChangesResponse,
} from '../../contract/changes.ts'
import type { Query } from '../database.ts'
import type { SiteState } from '../site/resolve.ts'

interface ChangesQuery {
  site: SiteState
  /** `<site revision>.<global revision>` */
  after: string
  limit: number
}

/** The site under which the triggers log what all sites share. */
const SHARED = 0

/** Reads what the log holds after a revision; an answer ends with the revision in which it reaches its limit. */
export async function readChanges(
  query: Query,
  { site, after, limit }: ChangesQuery,
): Promise<ChangesResponse> {
  const [own, shared] = parseRevision(after)
  const [newestOwn, newestShared] = parseRevision(site.revision)
  const [ownReaches, sharedReaches] = await Promise.all([
    reachesBack(query, site.id, own, newestOwn),
    reachesBack(query, SHARED, shared, newestShared),
  ])
  if (!ownReaches || !sharedReaches) return toReset(site)
  const until = await findEnd(query, { siteId: site.id, after: own, newest: newestOwn, limit })
  const rows = await query<Row>({
    text: `SELECT kind, article_id, before, after FROM changes
  WHERE site_id = $1 AND revision > $2 AND revision <= $3 ORDER BY revision, id`,
    values: [site.id, own, until],
  })
  return {
    revision: `${until}.${newestShared}`,
    restore_id: site.restoreId,
    reset: false,
    settings: newestShared > shared || rows.some(({ kind }) => kind === 'settings'),
    scores: rows.some(({ kind }) => kind === 'scores'),
    articles: rows.filter(({ kind }) => kind === 'article').map(toArticleChange),
  }
}

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

/** Each revision has rows in the log until they are a week old; one that lies ahead is another database's. */
async function reachesBack(
  query: Query,
  siteId: number,
  after: bigint,
  newest: bigint,
): Promise<boolean> {
  if (after >= newest) return after === newest
  const text = 'SELECT FROM changes WHERE site_id = $1 AND revision = $2 LIMIT 1'
  const rows = await query({ text, values: [siteId, after + 1n] })
  return rows.length > 0
}

interface RevisionRange {
  siteId: number
  after: bigint
  newest: bigint
  limit: number
}

async function findEnd(
  query: Query,
  { siteId, after, newest, limit }: RevisionRange,
): Promise<bigint> {
  const text = `SELECT revision FROM changes WHERE site_id = $1 AND revision > $2 AND revision <= $3
  ORDER BY revision, id OFFSET $4 LIMIT 1`
  const [last] = await query<{ revision: string }>({
    text,
    values: [siteId, after, newest, limit - 1],
  })
  return last ? BigInt(last.revision) : newest
}

interface Row {
  kind: string
  article_id: number
  before: ArticleState | null
  after: ArticleState | null
}

const toArticleChange = ({ article_id: id, before, after }: Row): ArticleChange => ({
  id,
  before: before && toState(before),
  after: after && toState(after),
  related: [] satisfies ArticleRef[],
  alternates: [],
})

const toState = ({ slug, language, category_slug, author_slug, month }: ArticleState) => ({
  slug,
  language,
  category_slug,
  author_slug,
  month: month ?? null,
})
