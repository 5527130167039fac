import { toArticleSegments } from '../../contract/paths.ts'
import { Redirect } from '../../contract/redirect.ts'
import type { Query } from '../database.ts'
import type { ReportOmission } from '../omissions/source-row.ts'
import type { SiteState } from '../site/resolve.ts'

interface MissingPage {
  site: SiteState
  slug: string
  language: string | undefined
}

/** Reads the redirect of a page's path; undefined when there is none. */
export async function readRedirect(
  query: Query,
  { site, slug, language = site.defaultLanguage }: MissingPage,
  report: ReportOmission,
): Promise<Redirect | undefined> {
  const { defaultLanguage } = site
  const path = `/${toArticleSegments(slug, { language, defaultLanguage }).join('/')}`
  // Cut one character after the limit of the contract, so that a longer path fails validation.
  const text = `SELECT left(to_path, 1001) AS to_path, status FROM redirects WHERE site_id = $1 AND from_path = $2`
  const [row] = await query<{ to_path: string | null; status: number }>({
    text,
    values: [site.id, path],
  })
  if (!row) return undefined
  const redirect = Redirect.safeParse({
    to: row.to_path && toUrlPath(row.to_path),
    status: row.status,
  })
  if (!redirect.success) report({ table: 'redirects', id: path, field: 'to_path' })
  return redirect.data
}

// Paths in the table may already be percent-encoded, so only characters other than printable ASCII are encoded.
const toUrlPath = (path: string): string => path.replace(/[^\x21-\x7e]/gu, encodeURIComponent)
