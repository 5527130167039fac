import { settingsPath } from '../../../contract/settings.ts'
import type { Config } from '../env.ts'
import type { Ports, Scope } from '../ports.ts'
import type { Observation } from '../read-api/client.ts'
import type { OpenClient } from '../read-api/open-client.ts'
import { noSuchSite, type RenderedFully, renderFully } from '../render-page.ts'
import type { SearchQuery } from '../rendering/search-query.ts'
import { type Entry, type Meta, type Sources, toEtag } from './entry.ts'
import { toExpiry } from './expiry.ts'
import { toPageKey } from './kv.ts'
import type { ReadSettings, Settings } from './settings-entry.ts'
import type { Target } from './tiered-cache.ts'

type Tools = { config: Config; ports: Ports; readSettings: ReadSettings; openClient: OpenClient }
type Made = { at: number; settings: Settings | undefined; observed: readonly Observation[] }

/** What a page says of its time (its year, the month that follows) is so old at most. */
const RENEWED_FOR_MS = 24 * 3600 * 1000

export const toPageUrl = (host: string, path: string): string => `https://${host}${path}`

/** A page as a target of the layers. Later pages of lists lie in the edge cache only. */
export function toPageTarget(tools: Tools, path: string): Target {
  const { host } = tools.config
  return {
    path,
    edgeUrl: toPageUrl(host, path),
    kvKey: path.includes('/after/') ? undefined : toPageKey(host, path),
    make: (previous, scope) => makePage(tools, { path }, previous, scope),
  }
}

/** Results of a search, in the edge cache only, under a key that no request can reach. */
export function toSearchTarget(tools: Tools, path: string, query: SearchQuery): Target {
  const key = new URLSearchParams({ ...query })
  return {
    path,
    edgeUrl: `https://${tools.config.host}/__cms/search${path}?${key}`,
    kvKey: undefined,
    make: (previous, scope) => makePage(tools, { path, query }, previous, scope),
  }
}

async function makePage(
  tools: Tools,
  request: { path: string; query?: SearchQuery },
  previous: Entry | undefined,
  scope: Scope,
): Promise<Entry> {
  const { config, ports } = tools
  const at = ports.now()
  const settings = await tools.readSettings(scope)
  const renewed = previous && settings && (await renew(tools, previous, settings, at, scope))
  if (renewed) return renewed
  const observed: Observation[] = []
  const client = tools.openClient(scope, { observe: (one) => observed.push(one) })
  const rendered = settings
    ? await renderFully({ config, ports, client, settings: settings.bundle, ...request })
    : noSuchSite()
  return toEntry(tools, rendered, { at, settings, observed })
}

// Nothing is rendered when every answer that the page was made of still holds.
async function renew(
  { config, ports, openClient }: Tools,
  { meta, sources, body }: Entry,
  settings: Settings,
  at: number,
  scope: Scope,
): Promise<Entry | undefined> {
  const own = settingsPath(config.site)
  if (!sources || meta.build !== config.build) return undefined
  if (at - meta.modified >= RENEWED_FOR_MS) return undefined
  if (!sources.some(([path, tag]) => path === own && tag === toSettingsTag(settings, config)))
    return undefined
  const client = openClient(scope)
  const others = sources.filter(([path]) => path !== own)
  const answers = await Promise.all(others.map(([path, etag]) => client.recheck(path, etag)))
  const holding = answers.filter((answer) => answer.type === 'not-modified')
  if (holding.length < others.length) return undefined
  const expiry = toExpiry(at, config.ttls[meta.entryType], toChanges(holding), ports.random())
  return { meta: { ...meta, at, settingsAt: settings.at, ...expiry }, sources, body }
}

async function toEntry(
  { config, ports }: Tools,
  rendered: RenderedFully,
  made: Made,
): Promise<Entry> {
  const { at, settings, observed } = made
  const entryType = rendered.type === 'page' ? rendered.pageType : 'not_found'
  const body = rendered.type === 'page' ? rendered.body : ''
  const meta: Meta = {
    entryType,
    ...(rendered.type === 'page' ? toPageHead(rendered) : toRedirectHead(rendered, config)),
    etag: await toEtag(body, config.build),
    modified: at,
    at,
    settingsAt: settings?.at ?? at,
    build: config.build,
    ...toExpiry(at, config.ttls[entryType], toChanges(observed), ports.random()),
  }
  return { meta, sources: toSources(config, settings, observed), body }
}

function toPageHead(page: Extract<RenderedFully, { type: 'page' }>) {
  return { status: page.status, contentType: page.contentType, headers: page.headers ?? {} }
}

function toRedirectHead(redirect: Extract<RenderedFully, { type: 'redirect' }>, { host }: Config) {
  const location = new URL(redirect.location, `https://${host}`)
  if (location.host !== host) throw new Error('A redirect may not leave the site')
  const headers = { location: `${location.pathname}${location.search}` }
  return { status: redirect.status, contentType: 'text/plain; charset=utf-8', headers }
}

function toSources(
  config: Config,
  settings: Settings | undefined,
  observed: readonly Observation[],
): Sources {
  if (!settings?.etag) return null
  const sources: [string, string][] = [[settingsPath(config.site), toSettingsTag(settings, config)]]
  for (const one of observed) {
    if (one.type !== 'ok' || !one.etag) return null
    sources.push([one.path, one.etag])
  }
  return sources
}

// What overrides the stylesheet counts as settings: a switch of it renders every page anew.
function toSettingsTag({ etag }: Settings, { cssOverride: { slug, version } }: Config): string {
  return [etag, slug, version].join(' ')
}

function toChanges(answers: readonly { type: string; nextChange?: Date | undefined }[]) {
  return answers.map((answer) => answer.nextChange)
}
