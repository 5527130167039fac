import { withQuery } from '../../http/path.ts'
import { discard } from './cache/edge.ts'
import type { Served } from './cache/tiered-cache.ts'
import type { RedirectDecision } from './decide.ts'
import { toPlainResponse } from './page-response.ts'

/** Reads the page at a canonical path, from the cache or by rendering. */
type ReadPage = (path: string) => Promise<Served>

/**
 * Redirects to the canonical path. If the page at that path is itself a redirect, redirects to its target,
 * so that the visitor needs only one hop. If that page cannot be read, redirects to the canonical path.
 */
export async function redirectInOneHop(
  redirect: RedirectDecision,
  readPage: ReadPage,
): Promise<Response> {
  const { status, origin, path, queryString, isPreview } = redirect
  const page = isPreview ? undefined : await readPage(path).catch(() => undefined)
  discard(page)
  const target = page?.headers.location ?? path
  const location = `${origin}${withQuery(target, queryString)}`
  // Browsers cache a permanent redirect, which would outlive a temporary target.
  return toPlainResponse(page?.meta.status === 302 ? 302 : status, location, { location })
}
