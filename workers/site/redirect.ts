import { withQuery } from '../../http/path.ts'
import { discard } from './cache/edge.ts'
import type { Served } from './cache/tiered-cache.ts'
import type { RedirectDecision } from './decide.ts'
import { toPlainResponse } from './page-response.ts'

/** The page at a canonical path, through the caches. */
type ReadPage = (path: string) => Promise<Served>

/**
 * Redirects in one hop: where the canonical path redirects in turn, straight to its target.
 * This costs no more than the request that would follow. When the page cannot be read, redirects to the canonical path.
 */
export async function redirectToFinal(
  redirect: RedirectDecision,
  readPage: ReadPage,
): Promise<Response> {
  const { status, origin, path, query, isPreview } = redirect
  const page = isPreview ? undefined : await readPage(path).catch(() => undefined)
  discard(page)
  const target = page?.headers.location ?? path
  const location = `${origin}${withQuery(target, query)}`
  // A permanent redirect would outlive a temporary target.
  return toPlainResponse(page?.meta.status === 302 ? 302 : status, location, { location })
}
