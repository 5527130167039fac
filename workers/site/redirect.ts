import { withQuery } from '../../http/path.ts'
import { discard } from './cache/edge.ts'
import type { Served } from './cache/tiered-cache.ts'
import type { RedirectDecision } from './decide.ts'
import { toPlainResponse } from './page-response.ts'

/** Reads the page at a canonical path, from the cache or by rendering. */
type ReadPage = (path: string) => Promise<Served>

/**
 * Redirects in one hop: if the page at the canonical path is a redirect, to its target. Reading that page costs no
 * more than the next request would. If it cannot be read, redirects to the canonical path.
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
