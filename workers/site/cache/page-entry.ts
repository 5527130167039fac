import { articlePath } from '../../../contract/article.ts'
import { settingsPath } from '../../../contract/settings.ts'
import type { Config } from '../env.ts'
import type { InvalidationLog, LogCopy } from '../invalidation/log.ts'
import { toNotFoundPath, toPageKey, toPageUrl } from '../keys.ts'
import type { Ports, Scope } from '../ports.ts'
import type { Observation } from '../read-api/client.ts'
import type { OpenClient } from '../read-api/open-client.ts'
import {
  type PageSource,
  renderNotFoundPage,
  renderPath,
  toPlainNotFoundPage,
} from '../render-page.ts'
import type { NotFound } from '../rendering/pages/not-found-page.ts'
import type { Rendered } from '../rendering/render-route.ts'
import type { SearchQuery } from '../rendering/search-query.ts'
import { type Dependencies, type Entry, findNewestSequence, type Meta, toEtag } from './entry.ts'
import { toExpiry } from './expiry.ts'
import type { ReadSettings, Settings } from './settings-entry.ts'
import type { Produced, Target } from './tiered-cache.ts'

interface Deps {
  config: Config
  ports: Ports
  log: InvalidationLog
  readSettings: ReadSettings
  openClient: OpenClient
}

/** State when a rendering or revalidation begins. */
interface RenderingStart {
  renderedAt: number
  sequence: number
  settings: Settings | undefined
}

/** How a path is rendered. Without `entryType`, the entry has the type of the page. */
interface Rendering {
  path: string
  query?: SearchQuery
  render: (source: PageSource) => Promise<Rendered>
  entryType?: Meta['entryType']
}

/** Header of the entry of a missing path: the language of the not-found page that is served as its body. */
export const NOT_FOUND_LANGUAGE = 'content-language'

/** Pages contain the current year and link to the newest month, so a page is rendered again at this age. */
const MAX_AGE_MS = 24 * 3600 * 1000

/** Returns the cache target of a page. Later pages of lists are in the edge cache only. */
export function toPageTarget(deps: Deps, path: string): Target {
  const { host } = deps.config
  return {
    path,
    edgeUrl: toPageUrl(host, path),
    kvKey: path.includes('/after/') ? undefined : toPageKey(host, path),
    produce: (previous, scope) => producePage(deps, { path, render: renderPath }, previous, scope),
  }
}

/** Returns the cache target of a search: only in the edge cache, under a key that no request can reach. */
export function toSearchTarget(deps: Deps, path: string, query: SearchQuery): Target {
  const key = new URLSearchParams({ ...query })
  return {
    path,
    edgeUrl: `https://${deps.config.host}/__cms/search${path}?${key}`,
    kvKey: undefined,
    produce: (previous, scope) =>
      producePage(deps, { path, query, render: renderPath }, previous, scope),
  }
}

/**
 * Returns the cache target of a not-found page: in the edge cache only, under a key that no request can
 * reach. The entries of missing paths have no body, so the page is rendered once for all of them.
 */
export function toNotFoundTarget(deps: Deps, page: NotFound): Target {
  const path = toNotFoundPath(page.language)
  const rendering: Rendering = {
    // The page does not depend on a path.
    path: '/',
    render: (source) => renderNotFoundPage(page, source),
    entryType: 'not_found_page',
  }
  return {
    path,
    edgeUrl: toPageUrl(deps.config.host, `${path}/${page.status}`),
    kvKey: undefined,
    produce: (previous, scope) => producePage(deps, rendering, previous, scope),
  }
}

async function producePage(
  deps: Deps,
  { render, entryType, ...pathAndQuery }: Rendering,
  previous: Entry | undefined,
  scope: Scope,
): Promise<Produced> {
  const { config, ports, log, readSettings, openClient } = deps
  const renderedAt = ports.now()
  const logCopy = log.current
  const settings = await readSettings(scope)
  const start = { renderedAt, settings, sequence: toSequence(logCopy, settings) }
  const revalidated = previous && (await revalidate(deps, previous, start, scope))
  if (revalidated) return { entry: revalidated, isUnchanged: true }
  const observed: Observation[] = []
  const client = openClient(scope, { observe: (observation) => observed.push(observation) })
  const hasPrevious = previous !== undefined
  const rendered = settings
    ? await render({
        config,
        ports,
        client,
        settings: settings.bundle,
        hasPrevious,
        ...pathAndQuery,
      })
    : toPlainNotFoundPage()
  return {
    entry: await toEntry(deps, rendered, { ...start, entryType }, observed),
    isUnchanged: false,
  }
}

// A page with outdated settings must be outdated, too, so it gets their sequence.
function toSequence(logCopy: LogCopy, settings: Settings | undefined): number {
  const isCurrent = !settings || settings.sequence >= findNewestSequence(logCopy, undefined)
  return isCurrent ? logCopy.newest : Math.min(logCopy.newest, settings.sequence)
}

// Returns undefined when an API response, the settings or the build has changed, or the page is a day old.
async function revalidate(
  { config, ports, openClient }: Deps,
  previous: Entry,
  { settings, ...start }: RenderingStart,
  scope: Scope,
): Promise<Entry | undefined> {
  const { meta, dependencies } = previous
  if (!settings || !dependencies || meta.build !== config.build) return undefined
  if (start.renderedAt - meta.lastModified >= MAX_AGE_MS) return undefined
  const pathOfSettings = settingsPath(config.site)
  const settingsTag = toSettingsTag(settings, config)
  if (!dependencies.some(([path, etag]) => path === pathOfSettings && etag === settingsTag))
    return undefined
  const client = openClient(scope)
  const results = await Promise.all(
    dependencies
      .filter(([path]) => path !== pathOfSettings)
      .map(async ([path, etag]) => ({ path, ...(await client.revalidate(path, etag)) })),
  )
  if (results.some(({ type }) => type !== 'not-modified')) return undefined
  const nextChanges = toNextChanges(results, config)
  const ttl = config.ttls[meta.entryType]
  const expiry = toExpiry(start.renderedAt, ttl, nextChanges, ports.random())
  return { ...previous, meta: { ...meta, ...start, ...expiry } }
}

async function toEntry(
  { config, ports }: Deps,
  rendered: Rendered,
  {
    settings,
    entryType = toEntryType(rendered),
    ...start
  }: RenderingStart & Pick<Rendering, 'entryType'>,
  observed: readonly Observation[],
): Promise<Entry> {
  const body = rendered.type === 'page' ? rendered.body : ''
  const nextChanges = toNextChanges(observed, config)
  const meta: Meta = {
    entryType,
    status: rendered.status,
    contentType: rendered.type === 'page' ? rendered.contentType : 'text/html; charset=utf-8',
    etag: await toEtag(body, config.build),
    lastModified: start.renderedAt,
    build: config.build,
    ...start,
    ...toExpiry(start.renderedAt, config.ttls[entryType], nextChanges, ports.random()),
  }
  return {
    meta,
    headers: toHeaders(rendered, config),
    dependencies: toDependencies(config, settings, observed),
    body,
  }
}

const toEntryType = (rendered: Rendered): Meta['entryType'] =>
  rendered.type === 'page' ? rendered.pageType : 'not_found'

function toHeaders(rendered: Rendered, { host }: Config): Record<string, string> {
  switch (rendered.type) {
    case 'page':
      return rendered.headers ?? {}
    case 'redirect': {
      const location = new URL(rendered.location, `https://${host}`)
      if (location.host !== host)
        throw new Error(`Redirect to ${rendered.location} leaves the site ${host}`)
      return { location: `${location.pathname}${location.search}${location.hash}` }
    }
    case 'not-found':
      return { [NOT_FOUND_LANGUAGE]: rendered.language }
    default:
      return rendered satisfies never
  }
}

function toDependencies(
  config: Config,
  settings: Settings | undefined,
  observed: readonly Observation[],
): Dependencies {
  if (!settings?.etag) return null
  const dependencies: [string, string][] = [
    [settingsPath(config.site), toSettingsTag(settings, config)],
  ]
  for (const observation of observed) {
    if (observation.type !== 'ok' || !observation.etag) return null
    dependencies.push([observation.path, observation.etag])
  }
  return dependencies
}

// The stylesheet override counts as settings: changing it renders every page again.
function toSettingsTag({ etag }: Settings, { cssOverride: { slug, version } }: Config): string {
  return [etag, slug, version].join(' ')
}

// A scheduled publication may change lists and missing pages, but no article that is already published.
function toNextChanges(
  observed: readonly { path: string; type: string; nextChange?: Date | undefined }[],
  { site }: Config,
): (Date | undefined)[] {
  const articles = articlePath(site, '')
  return observed
    .filter(({ type, path }) => type === 'not-found' || !path.startsWith(articles))
    .map(({ nextChange }) => nextChange)
}
