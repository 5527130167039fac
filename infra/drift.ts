import type { Declaration, ManifestEntry } from './manifest.ts'
import type { WorkerRoute } from './routing.ts'
import { findShadowingRoutes } from './shadowing-routes.ts'

/** Live state of the resources that a stack declares. */
export interface LiveState {
  /** Undefined: the script was deleted. */
  script: LiveScript | undefined
  /** The invalidation log. Undefined: it was deleted, or the stack does not declare one. */
  database: { readReplication: string } | undefined
  /** All routes of the zone, also of other scripts. */
  routes: readonly WorkerRoute[]
  /** All custom domains of the account. */
  domains: readonly { hostname: string; service: string }[]
}

export interface LiveScript {
  bindings: readonly ManifestEntry[]
  contentSha256: string
  /** Every setting that Cloudflare returns, by path. */
  settings: Readonly<Record<string, unknown>>
  crons: readonly string[]
  workersDev: boolean
  previewUrls: boolean
}

/** A difference between declaration and live state. Values of variables and secrets are never included. */
export interface Difference {
  what: 'script' | 'binding' | 'database' | 'route' | 'custom domain' | 'cron' | 'workers.dev'
  name: string
  /** The field of a binding that differs. */
  property?: string
  declared: string
  live: string
}

/**
 * Returns the differences between the declaration and the live state, also undeclared bindings, routes,
 * domains and cron triggers. Undeclared settings and fields of bindings are ignored, because Cloudflare adds
 * some.
 */
export function findDrift(declaration: Declaration, live: LiveState): Difference[] {
  const otherDifferences = [
    ...compareDatabase(declaration, live),
    ...compareRoutes(declaration, live),
    ...compareDomains(declaration, live),
  ]
  if (live.script === undefined) {
    const { scriptName: name } = declaration
    return [{ what: 'script', name, declared: 'present', live: 'gone' }, ...otherDifferences]
  }
  return [
    ...compareScript(declaration, live.script),
    ...otherDifferences,
    ...findShadowingRoutes(declaration, live).map(
      ({ pattern, description }): Difference => ({
        what: 'route',
        name: pattern,
        declared: `${declaration.scriptName} has precedence`,
        live: description,
      }),
    ),
  ]
}

function compareScript(declaration: Declaration, script: LiveScript): Difference[] {
  const { scriptName: name, contentSha256, crons } = declaration
  return [
    ...compare('script', 'content', toShort(contentSha256), toShort(script.contentSha256)),
    ...compareSettings(declaration, script),
    ...compareBindings(declaration.bindings, script.bindings),
    ...compare('cron', name, toList(crons), toList(script.crons)),
    ...compare('workers.dev', name, 'off', script.workersDev ? 'on' : 'off'),
    ...compare('workers.dev', `previews of ${name}`, 'off', script.previewUrls ? 'on' : 'off'),
  ]
}

const SETTING_NAMES: Readonly<Record<string, string>> = {
  compatibilityDate: 'compatibility date',
  compatibilityFlags: 'compatibility flags',
}

function compareSettings({ settings }: Declaration, script: LiveScript): Difference[] {
  return Object.entries(settings).flatMap(([path, declared]) => {
    const live = script.settings[path] ?? toDefault(path, declared)
    return compare('script', SETTING_NAMES[path] ?? path, toText(declared), toText(live))
  })
}

/** Returns the value of a setting that Cloudflare omits in its response. */
function toDefault(path: string, declared: unknown): unknown {
  if (typeof declared === 'boolean') return false
  return path.endsWith('headSamplingRate') ? 1 : undefined
}

function compareBindings(
  declared: readonly ManifestEntry[],
  live: readonly ManifestEntry[],
): Difference[] {
  const names = [...new Set([...declared, ...live].map(({ name }) => name))]
  return names.toSorted().flatMap((name) => {
    const declaredEntry = declared.find((entry) => entry.name === name)
    const liveEntry = live.find((entry) => entry.name === name)
    if (declaredEntry && liveEntry?.type === declaredEntry.type)
      return compareFields(declaredEntry, liveEntry)
    return compare('binding', name, declaredEntry?.type ?? 'absent', liveEntry?.type ?? 'absent')
  })
}

function compareFields({ name, type, fields = {} }: ManifestEntry, live: ManifestEntry) {
  return Object.entries(fields).flatMap(([property, hash]): Difference[] => {
    const liveHash = live.fields?.[property]
    if (liveHash === hash) return []
    const liveText = liveHash ? `${type} ${toShort(liveHash)}` : 'absent'
    return [
      { what: 'binding', name, property, declared: `${type} ${toShort(hash)}`, live: liveText },
    ]
  })
}

function compareDatabase(declaration: Declaration, { database }: LiveState): Difference[] {
  const { invalidationsDatabaseId: name } = declaration
  if (name === undefined) return []
  if (database === undefined) return [{ what: 'database', name, declared: 'present', live: 'gone' }]
  const mode = `read replication ${database.readReplication}`
  return compare('database', name, 'read replication disabled', mode)
}

function compareRoutes({ scriptName, routes }: Declaration, live: LiveState): Difference[] {
  const changed = routes.flatMap((pattern) => {
    const route = live.routes.find((each) => each.pattern === pattern)
    return compare('route', pattern, scriptName, route ? (route.script ?? 'no script') : 'gone')
  })
  const added = live.routes
    .filter(({ pattern, script }) => script === scriptName && !routes.includes(pattern))
    .flatMap(({ pattern }) => compare('route', pattern, 'absent', scriptName))
  return [...changed, ...added]
}

function compareDomains(
  { scriptName, hostnames }: Declaration,
  { domains }: LiveState,
): Difference[] {
  const changed = hostnames.flatMap((hostname) => {
    const service = domains.find((domain) => domain.hostname === hostname)?.service ?? 'gone'
    return compare('custom domain', hostname, scriptName, service)
  })
  const added = domains
    .filter(({ hostname, service }) => service === scriptName && !hostnames.includes(hostname))
    .flatMap(({ hostname }) => compare('custom domain', hostname, 'absent', scriptName))
  return [...changed, ...added]
}

function compare(
  what: Difference['what'],
  name: string,
  declared: string,
  live: string,
): Difference[] {
  return declared === live ? [] : [{ what, name, declared, live }]
}

const toText = (value: unknown) => (value === undefined || value === '' ? 'none' : String(value))
const toShort = (sha256: string) => `sha256 ${sha256.slice(0, 12)}`
const toList = (items: readonly string[]) => items.toSorted().join(', ') || 'none'
