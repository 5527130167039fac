import { SettingsBundle } from '../../../contract/settings.ts'
import type { Config } from '../env.ts'
import { isVoid } from '../invalidation/record.ts'
import type { Records } from '../invalidation/records.ts'
import type { Ports, Scope } from '../ports.ts'
import type { OpenClient } from '../read-api/open-client.ts'
import { discard } from './edge.ts'
import type { Entry } from './entry.ts'
import { toExpiry } from './expiry.ts'
import { parseJson } from './json.ts'
import { toSettingsKey } from './kv.ts'
import type { Layers, Served, Target } from './tiered-cache.ts'

/** The site's settings, the tag that the API gave them, and when they were asked for. */
export type Settings = { bundle: SettingsBundle; etag: string; at: number }

/** Undefined: the API knows no such site. */
export type ReadSettings = (scope: Scope) => Promise<Settings | undefined>

type Tools = {
  config: Config
  ports: Ports
  layers: Layers
  records: Records
  openClient: OpenClient
}

const MEMORY_MS = 5000

export const toSettingsUrl = (host: string): string => `https://${host}/__cms/settings`

/** Settings from isolate memory, else through the layers as any page. */
export function createSettings(tools: Tools): ReadSettings {
  const { config, ports, layers, records } = tools
  let memory: { settings: Settings; until: number } | undefined
  const target: Target = {
    path: undefined,
    edgeUrl: toSettingsUrl(config.host),
    kvKey: toSettingsKey(config.host),
    make: (previous, scope) => askSettings(tools, previous, scope),
  }

  return async (scope) => {
    if (memory && ports.now() < memory.until && holds(memory.settings)) return memory.settings
    const served = await layers.read(target, scope)
    const settings = await parse(served, scope)
    discard(served)
    if (settings) memory = { settings, until: ports.now() + MEMORY_MS }
    return settings
  }

  function holds({ at }: Settings): boolean {
    return !isVoid(records.peek(), undefined, { at, settingsAt: at })
  }

  async function parse({ meta, body }: Served, scope: Scope): Promise<Settings | undefined> {
    const { etag, at, status } = meta
    if (status === 404) return undefined
    if (memory && etag && memory.settings.etag === etag)
      return { bundle: memory.settings.bundle, etag, at }
    const bundle = parseJson(await new Response(body).text(), SettingsBundle)
    if (bundle) return { bundle, etag, at }
    // What an older build kept may not fit the contract of this one.
    const made = await askSettings(tools, undefined, scope)
    const anew = parseJson(made.body, SettingsBundle)
    return anew && { bundle: anew, etag: made.meta.etag, at: made.meta.at }
  }
}

async function askSettings(
  { config, ports, openClient }: Tools,
  previous: Entry | undefined,
  scope: Scope,
): Promise<Entry> {
  const at = ports.now()
  const ifNoneMatch = previous?.meta.build === config.build ? previous.meta.etag : undefined
  const answer = await openClient(scope).settings(
    config.site,
    {},
    { ifNoneMatch: ifNoneMatch || undefined },
  )
  const expiry = toExpiry(at, config.ttls.settings, [], ports.random())
  const meta = {
    entryType: 'settings',
    contentType: 'application/json',
    modified: at,
    at,
    settingsAt: at,
    build: config.build,
    headers: {},
    ...expiry,
  } as const
  switch (answer.type) {
    case 'not-modified':
      if (!previous) throw new Error('304 without a validator')
      return { ...previous, meta: { ...previous.meta, at, settingsAt: at, ...expiry } }
    case 'ok':
      return toEntry(
        { ...meta, status: 200, etag: answer.etag ?? '' },
        JSON.stringify(answer.value),
      )
    case 'not-found':
    case 'other-languages':
      return toEntry({ ...meta, status: 404, etag: 'none' }, '')
    default:
      return answer satisfies never
  }
}

const toEntry = (meta: Entry['meta'], body: string): Entry => ({ meta, sources: [], body })
