import type { ArticleChange, ChangesResponse } from '../../contract/changes.ts'
import type { PrismaClient } from '../../prisma/generated/client.ts'
import type { SiteState } from '../site/resolve.ts'

export type ChangeLog = PrismaClient['change']

interface ChangesQuery {
  site: SiteState
  /** `<site revision>.<global revision>` */
  after: string
  limit: number
}

// The site under which the triggers log what all sites share.
const SHARED = 0

/** Reads what the log holds after a revision; an answer ends with the revision in which it reaches its limit. */
export async function readChanges(
  log: ChangeLog,
  { site, after, limit }: ChangesQuery,
): Promise<ChangesResponse> {
  const [own, shared] = parseRevision(after)
  const [newestOwn, newestShared] = parseRevision(site.revision)
  const [ownReaches, sharedReaches] = await Promise.all([
    reachesBack(log, site.id, own, newestOwn),
    reachesBack(log, SHARED, shared, newestShared),
  ])
  if (!ownReaches || !sharedReaches)
    return { revision: site.revision, reset: true, settings: true, articles: [] }
  const until = await findEnd(log, { siteId: site.id, after: own, newest: newestOwn, limit })
  const rows = await log.findMany({
    where: { siteId: site.id, revision: { gt: own, lte: until } },
    orderBy: [{ revision: 'asc' }, { id: 'asc' }],
  })
  return {
    revision: `${until}.${newestShared}`,
    reset: false,
    settings: newestShared > shared || rows.some(({ kind }) => kind === 'settings'),
    articles: rows.filter(({ kind }) => kind === 'article').map(toArticleChange),
  }
}

function parseRevision(token: string): [own: bigint, shared: bigint] {
  const [own = '', shared = ''] = token.split('.')
  return [BigInt(own), BigInt(shared)]
}

/** Each revision has rows in the log until they are a week old; one that is not yet reached is of another database. */
async function reachesBack(
  log: ChangeLog,
  siteId: number,
  after: bigint,
  newest: bigint,
): Promise<boolean> {
  if (after >= newest) return after === newest
  return (await log.findFirst({ where: { siteId, revision: after + 1n } })) !== null
}

interface Stretch {
  siteId: number
  after: bigint
  newest: bigint
  limit: number
}

async function findEnd(log: ChangeLog, { siteId, after, newest, limit }: Stretch): Promise<bigint> {
  const last = await log.findFirst({
    where: { siteId, revision: { gt: after, lte: newest } },
    orderBy: [{ revision: 'asc' }, { id: 'asc' }],
    skip: limit - 1,
  })
  return last?.revision ?? newest
}

type Row = Awaited<ReturnType<ChangeLog['findMany']>>[number]

// The triggers wrote both sides as the contract has them; the answer's own check holds them to it.
const toArticleChange = ({ articleId, before, after }: Row): ArticleChange =>
  ({ id: articleId, before, after }) as ArticleChange
