import { SettingsBundle } from '../../../contract/settings.ts'
import type { Config } from '../env.ts'
import type { InvalidationLog } from '../invalidation/log.ts'
import { parseJson } from '../json.ts'
import { toSettingsKey, toSettingsUrl } from '../keys.ts'
import type { Ports, Scope } from '../ports.ts'
import type { OpenClient } from '../read-api/open-client.ts'
import { discard } from './edge.ts'
import { type Entry, findNewestSequence } from './entry.ts'
import { toExpiry } from './expiry.ts'
import type { Produced, Served, Target, TieredCache } from './tiered-cache.ts'

/** Settings of the site, with the API's ETag and the sequence of their entry. */
export interface Settings {
  bundle: SettingsBundle
  etag: string
  sequence: number
}

/** Returns undefined when the API has no such site. */
export type ReadSettings = (scope: Scope) => Promise<Settings | undefined>

interface Deps {
  config: Config
  ports: Ports
  cache: TieredCache
  log: InvalidationLog
  openClient: OpenClient
}

const MEMORY_MS = 2000

/** Creates a function that reads settings from the cache, and for two seconds from isolate memory. */
export function createReadSettings(deps: Deps): ReadSettings {
  const { config, ports, cache, log } = deps
  let memory: { settings: Settings; until: number } | undefined
  const target: Target = {
    path: undefined,
    edgeUrl: toSettingsUrl(config.host),
    kvKey: toSettingsKey(config.host),
    produce: (previous, scope) => produceSettings(deps, previous, scope),
  }

  return async (scope) => {
    const isCurrent =
      memory && memory.settings.sequence >= findNewestSequence(log.current, undefined)
    if (memory && isCurrent && ports.now() < memory.until) return memory.settings
    const served = await cache.read(target, scope)
    const settings = await parseServed(served, scope)
    discard(served)
    if (settings) memory = { settings, until: ports.now() + MEMORY_MS }
    return settings
  }

  async function parseServed({ meta, body }: Served, scope: Scope): Promise<Settings | undefined> {
    const { etag, sequence, status } = meta
    if (status === 404) return undefined
    if (memory && etag && memory.settings.etag === etag)
      return { bundle: memory.settings.bundle, etag, sequence }
    const bundle = parseJson(await new Response(body).text(), SettingsBundle)
    if (bundle) return { bundle, etag, sequence }
    // An entry of an older build may not match the schema of this build; then the API is read.
    const { entry } = await produceSettings(deps, undefined, scope)
    const produced = parseJson(entry.body, SettingsBundle)
    return produced && { bundle: produced, etag: entry.meta.etag, sequence: entry.meta.sequence }
  }
}

async function produceSettings(
  { config, ports, log, openClient }: Deps,
  previous: Entry | undefined,
  scope: Scope,
): Promise<Produced> {
  const now = ports.now()
  const sequence = log.current.newest
  const isSameBuild = previous?.meta.build === config.build
  const ifNoneMatch = isSameBuild ? previous?.meta.etag : undefined
  const result = await openClient(scope).settings(config.site, {}, { ifNoneMatch })
  const expiry = toExpiry(now, config.ttls.settings, [], ports.random())
  switch (result.type) {
    case 'not-modified': {
      if (!previous)
        throw new Error('The read API responded with 304 to a request without If-None-Match')
      const meta = { ...previous.meta, renderedAt: now, sequence, ...expiry }
      return { entry: { ...previous, meta }, isUnchanged: true }
    }
    case 'ok':
      return toProduced(200, result.etag ?? '', JSON.stringify(result.value))
    case 'not-found':
    case 'other-languages':
      return toProduced(404, 'none', '')
    default:
      return result satisfies never
  }

  function toProduced(status: number, etag: string, body: string): Produced {
    const meta = {
      entryType: 'settings' as const,
      status,
      contentType: 'application/json',
      etag,
      lastModified: now,
      renderedAt: now,
      sequence,
      build: config.build,
      ...expiry,
    }
    return { entry: { meta, headers: {}, dependencies: [], body }, isUnchanged: false }
  }
}
