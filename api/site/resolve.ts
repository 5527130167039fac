import type { Query } from '../database.ts'
import { isUnavailable, notFound } from '../problem.ts'
import { createCoalescer } from './coalesce.ts'
import { type IdentityFields, type IdentityRow, toIdentityFields } from './identity.ts'

/** State of a site at the instant `now` of the database's clock. Responses depend only on it and on the request. */
export interface SiteState extends IdentityFields {
  /** `<site revision>.<global revision>`. */
  revision: string
  /** Identifies the content of the database; it changes when a backup is restored. */
  restoreId: string
  /** Part of the cache key; changes with the data, and when a scheduled article becomes visible. */
  cacheVersion: string
  /** Second of the last change or publication; it may not have passed yet. */
  lastModified: Date
  /** The next `published_at` in the future. */
  nextChange: Date | null
  now: Date
}

/** Row of `SITE_BY_NAME`. `newest` and `next` are the last and the next instant of publication. */
export interface SiteRow extends IdentityRow {
  active: boolean | null
  site_revision: string
  global_revision: string
  restore_id: string
  revised_at: Date
  newest: Date | null
  next: Date | null
  now: Date
}

/** SQL statement: the newest revision of the site whose id is the SQL expression `siteId`. */
function toNewestRevision(siteId: string): string {
  return `SELECT revision, revised_at FROM revisions WHERE site_id = ${siteId} ORDER BY revision DESC LIMIT 1`
}

// Returns one row: the site, its newest revision, the newest global one (site id 0), and the last and the next valid
// instant of publication.
export const SITE_BY_NAME = `
SELECT s.id, s.acronym, s.domain, s.name, s.default_language, s.timezone, s.active,
  coalesce(own.revision, 0) AS site_revision, coalesce(shared.revision, 0) AS global_revision,
  coalesce(greatest(own.revised_at, shared.revised_at), s.created_at) AS revised_at,
  (SELECT max(published_at) FROM articles
    WHERE site_id = s.id AND status = 'published' AND published_at BETWEEN '1970-01-01Z' AND now()) AS newest,
  (SELECT min(published_at) FROM articles
    WHERE site_id = s.id AND status = 'published' AND published_at > now() AND published_at < '10000-01-01Z') AS next,
  identity.restore_id, now() AS now
FROM sites s
LEFT JOIN LATERAL (${toNewestRevision('s.id')}) own ON true
LEFT JOIN LATERAL (${toNewestRevision('0')}) shared ON true
CROSS JOIN database_identity identity
WHERE s.id = $1 OR s.acronym = $2 OR s.domain = $2
ORDER BY s.id = $1 DESC NULLS LAST, s.acronym = $2 DESC
LIMIT 1`

const MAX_ID = 2_147_483_647
const MAX_DOMAIN_LENGTH = 253

export type ResolveSite = (input: string) => Promise<SiteState>

/**
 * Creates a resolver of ids, acronyms and domains. Its query is shared by all callers that arrive before it is sent. It
 * throws ApiError resource_not_found for unknown and inactive sites.
 */
export function createSiteResolver(query: Query): ResolveSite {
  const read = createCoalescer(async (name): Promise<SiteRow | undefined> => {
    const statement = { text: SITE_BY_NAME, values: [toId(name), name] }
    // A connection that broke while it was idle fails once; the retry gets another one.
    const [row] = await query<SiteRow>(statement).catch((error) => {
      if (!isUnavailable(error)) throw error
      return query<SiteRow>(statement)
    })
    return row
  })
  return async (input) => {
    const name = input.toLowerCase()
    const row = isName(name) ? await read(name) : undefined
    if (!row || row.active === false)
      throw notFound('No active site has this id, acronym or domain.')
    return toSiteState(row)
  }
}

const isName = (text: string): boolean => text.length <= MAX_DOMAIN_LENGTH && !text.includes('\0')

function toId(name: string): number | null {
  const id = /^\d{1,10}$/.test(name) ? Number(name) : Number.POSITIVE_INFINITY
  return id <= MAX_ID ? id : null
}

export function toSiteState(row: SiteRow): SiteState {
  const revision = `${row.site_revision}.${row.global_revision}`
  return {
    ...toIdentityFields(row),
    revision,
    restoreId: row.restore_id,
    cacheVersion: `${row.restore_id} ${revision} ${row.newest?.getTime() ?? 0}`,
    lastModified: toLastModified(row),
    nextChange: row.next,
    now: row.now,
  }
}

// The header has whole seconds (RFC 9110 §8.8.2).
function toLastModified({ revised_at, newest }: SiteRow): Date {
  const latest = Math.max(revised_at.getTime(), newest?.getTime() ?? 0)
  return new Date(Math.floor(latest / 1000) * 1000)
}
