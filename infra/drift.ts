import type { Declaration, ManifestEntry } from './manifest.ts'
import type { Route } from './routing.ts'
import { findShadowingRoutes } from './shadowing-routes.ts'

/** Live state of a stack's worker, with all routes and domains of its zone and account. */
export interface Live {
  /** Undefined: the script is gone. */
  script: LiveScript | undefined
  /** The invalidation log; undefined: it is gone, or the stack declares none. */
  database: { readReplication: string } | undefined
  /** All routes of the zone. */
  routes: readonly Route[]
  /** The account's custom domains. */
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

/** One property that is not as declared. Values of variables and secrets never appear in it. */
export interface Difference {
  what: 'script' | 'binding' | 'database' | 'route' | 'custom domain' | 'cron' | 'workers.dev'
  name: string
  /** The field of a binding that differs. */
  property?: string
  declared: string
  live: string
}

/** Every declared property that differs in the account. What Cloudflare adds by itself is ignored. */
export function findDrift(declaration: Declaration, live: Live): Difference[] {
  const beside = [
    ...compareDatabase(declaration, live),
    ...compareRoutes(declaration, live),
    ...compareDomains(declaration, live),
  ]
  if (live.script === undefined) {
    const { scriptName: name } = declaration
    return [{ what: 'script', name, declared: 'present', live: 'gone' }, ...beside]
  }
  return [
    ...compareScript(declaration, live.script),
    ...beside,
    ...findShadowingRoutes(declaration, live).map(
      ({ pattern, winner }): Difference => ({
        what: 'route',
        name: pattern,
        declared: `${declaration.scriptName} wins`,
        live: winner,
      }),
    ),
  ]
}

function compareScript(declaration: Declaration, script: LiveScript): Difference[] {
  const { scriptName: name, contentSha256, crons } = declaration
  return [
    ...differ('script', 'content', toShort(contentSha256), toShort(script.contentSha256)),
    ...compareSettings(declaration, script),
    ...compareBindings(declaration.bindings, script.bindings),
    ...differ('cron', name, toList(crons), toList(script.crons)),
    ...differ('workers.dev', name, 'off', script.workersDev ? 'on' : 'off'),
    ...differ('workers.dev', `previews of ${name}`, 'off', script.previewUrls ? 'on' : 'off'),
  ]
}

const SETTING_NAMES: Readonly<Record<string, string>> = {
  compatibilityDate: 'compatibility date',
  compatibilityFlags: 'compatibility flags',
}

function compareSettings({ settings }: Declaration, script: LiveScript): Difference[] {
  return Object.entries(settings).flatMap(([path, declared]) => {
    const live = script.settings[path] ?? toDefault(path, declared)
    return differ('script', SETTING_NAMES[path] ?? path, toText(declared), toText(live))
  })
}

/** Value of a setting that is absent from Cloudflare's response. */
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
    const here = declared.find((entry) => entry.name === name)
    const there = live.find((entry) => entry.name === name)
    if (here && there && here.type === there.type) return compareFields(here, there)
    return differ('binding', name, here?.type ?? 'absent', there?.type ?? 'absent')
  })
}

function compareFields({ name, type, fields = {} }: ManifestEntry, live: ManifestEntry) {
  return Object.entries(fields).flatMap(([property, hash]): Difference[] => {
    const found = live.fields?.[property]
    if (found === hash) return []
    const there = found ? `${type} ${toShort(found)}` : 'absent'
    return [{ what: 'binding', name, property, declared: `${type} ${toShort(hash)}`, live: there }]
  })
}

function compareDatabase(declaration: Declaration, { database }: Live): Difference[] {
  const { invalidationsDatabaseId: name } = declaration
  if (name === undefined) return []
  if (database === undefined) return [{ what: 'database', name, declared: 'present', live: 'gone' }]
  return differ('database', name, 'read replication disabled', toMode(database))
}

const toMode = ({ readReplication }: { readReplication: string }) =>
  `read replication ${readReplication}`

function compareRoutes({ scriptName, routes }: Declaration, live: Live): Difference[] {
  const changed = routes.flatMap((pattern) => {
    const route = live.routes.find((each) => each.pattern === pattern)
    return differ('route', pattern, scriptName, route ? (route.script ?? 'no script') : 'gone')
  })
  const added = live.routes
    .filter(({ pattern, script }) => script === scriptName && !routes.includes(pattern))
    .flatMap(({ pattern }) => differ('route', pattern, 'absent', scriptName))
  return [...changed, ...added]
}

function compareDomains({ scriptName, hostnames }: Declaration, { domains }: Live): Difference[] {
  const changed = hostnames.flatMap((hostname) => {
    const service = domains.find((domain) => domain.hostname === hostname)?.service ?? 'gone'
    return differ('custom domain', hostname, scriptName, service)
  })
  const added = domains
    .filter(({ hostname, service }) => service === scriptName && !hostnames.includes(hostname))
    .flatMap(({ hostname }) => differ('custom domain', hostname, 'absent', scriptName))
  return [...changed, ...added]
}

function differ(
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
