import type { Config } from '../env.ts'
import type { InvalidationLog } from '../invalidation/log.ts'
import type { Ports, Scope } from '../ports.ts'
import type { OpenClient } from '../read-api/open-client.ts'
import { toPlainNotFoundPage } from '../render-page.ts'
import { discard } from './edge.ts'
import { NOT_FOUND_LANGUAGE, toNotFoundTarget } from './page-entry.ts'
import type { ReadSettings } from './settings-entry.ts'
import type { Served, Target, TieredCache } from './tiered-cache.ts'

interface Deps {
  config: Config
  ports: Ports
  log: InvalidationLog
  cache: TieredCache
  readSettings: ReadSettings
  openClient: OpenClient
}

/**
 * Returns the page of a target. Entries of missing paths share one body per language and status.
 * @throws the error of the rendering, when no entry may be served
 */
export async function readPage(deps: Deps, target: Target, scope: Scope): Promise<Served> {
  const served = await deps.cache.read(target, scope)
  const language = served.headers[NOT_FOUND_LANGUAGE]
  if (language === undefined) return served
  discard(served)
  const status = served.meta.status === 410 ? 410 : 404
  const notFoundTarget = toNotFoundTarget(deps, { language, status })
  // The response is a 404 or 410 even when the not-found page cannot be rendered.
  const shared = await deps.cache.read(notFoundTarget, scope).catch(() => undefined)
  if (!shared) return { ...served, body: toPlainNotFoundPage().body }
  const { etag, contentType } = shared.meta
  return {
    ...served,
    body: shared.body,
    headers: { ...shared.headers, ...served.headers },
    meta: { ...served.meta, etag, contentType },
  }
}
