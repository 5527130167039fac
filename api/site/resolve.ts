import type { Query } from '../database.ts'
import { isUnavailable, notFound } from '../problem.ts'
import { createCoalescer } from './coalesce.ts'

/** A site as it is at one instant of the database's clock; every answer is a function of it and of the request. */
export interface SiteState {
  id: number
  acronym: string
  domain: string
  name: string
  defaultLanguage: string
  timezone: string
  /** `<site revision>.<global revision>`. */
  revision: string
  /** Identity of the database; a restore renews it. */
  restoreId: string
  /** What answers made now are kept under: it changes with the revision and when an instant of publication passes. */
  epoch: string
  /** Whole seconds; after a burst of changes it may lie ahead of `now`. */
  lastModified: Date
  /** The next `published_at` ahead. */
  nextChange: Date | null
  now: Date
}

/** What `SITE_BY_NAME` gives. */
export interface SiteRow {
  id: number
  acronym: string
  domain: string
  name: string
  default_language: string
  timezone: string
  active: boolean
  site_revision: string
  global_revision: string
  restore_id: string
  revised_at: Date
  newest: Date | null
  next: Date | null
  now: Date
}

// One row: who the site is, its revisions and the instants of publication on both sides of now.
export const SITE_BY_NAME = `
SELECT s.id, s.acronym, s.domain, s.name, s.default_language, s.timezone, s.active,
  coalesce(own.revision, 0) AS site_revision, shared.revision AS global_revision,
  greatest(own.revised_at, shared.revised_at) AS revised_at,
  (SELECT max(published_at) FROM articles
    WHERE site_id = s.id AND status = 'published' AND published_at <= now()) AS newest,
  (SELECT min(published_at) FROM articles
    WHERE site_id = s.id AND status = 'published' AND published_at > now()) AS next,
  identity.restore_id, now() AS now
FROM sites s
LEFT JOIN revisions own ON own.site_id = s.id
JOIN revisions shared ON shared.site_id = 0
CROSS JOIN database_identity identity
WHERE s.id = $1 OR s.acronym = $2 OR s.domain = $2
ORDER BY s.id = $1 DESC NULLS LAST, s.acronym = $2 DESC
LIMIT 1`

const MAX_ID = 2_147_483_647
const LONGEST_DOMAIN = 253

export type ResolveSite = (input: string) => Promise<SiteState>

/**
 * Resolves an id, an acronym or a domain, with one query that concurrent callers share only when it is not yet sent.
 * The function throws resource_not_found for unknown and inactive sites.
 */
export function createSiteResolver(query: Query): ResolveSite {
  const read = createCoalescer(async (name): Promise<SiteRow | undefined> => {
    const statement = { text: SITE_BY_NAME, values: [toId(name), name] }
    // A connection that died while idle says so on its first use only.
    const [row] = await query<SiteRow>(statement).catch((error) => {
      if (!isUnavailable(error)) throw error
      return query<SiteRow>(statement)
    })
    return row
  })
  return async (input) => {
    const name = input.toLowerCase()
    const row = isName(name) ? await read(name) : undefined
    if (!row?.active) throw notFound('There is no active site of that id, acronym or domain.')
    return toSiteState(row)
  }
}

const isName = (text: string): boolean => text.length <= LONGEST_DOMAIN && !text.includes('\0')

function toId(name: string): number | null {
  const id = /^\d{1,10}$/.test(name) ? Number(name) : Number.POSITIVE_INFINITY
  return id <= MAX_ID ? id : null
}

export function toSiteState(row: SiteRow): SiteState {
  const revision = `${row.site_revision}.${row.global_revision}`
  return {
    id: row.id,
    acronym: row.acronym,
    domain: row.domain,
    name: row.name,
    defaultLanguage: row.default_language,
    timezone: row.timezone,
    revision,
    restoreId: row.restore_id,
    epoch: `${row.restore_id} ${revision}.${row.newest?.getTime() ?? 0}`,
    lastModified: toLastModified(row),
    nextChange: row.next,
    now: row.now,
  }
}

// Each revision is stamped with a second of its own; an instant of publication rounds up, so that whoever is given
// its second has seen it (RFC 9110 §8.8.2.2).
function toLastModified({ revised_at, newest }: SiteRow): Date {
  const published = Math.ceil((newest?.getTime() ?? 0) / 1000)
  return new Date(Math.max(Math.floor(revised_at.getTime() / 1000), published) * 1000)
}
