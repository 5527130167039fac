import { MEDIA_PREFIX } from '../contract/constants.ts'
import { environments } from './environments.ts'
import type { Declaration, ManifestEntry } from './manifest.ts'
import { findScript, parsePattern, type Route } from './routing.ts'

/** What an account holds of a stack's worker, and all that may stand in its way. */
export interface Live {
  /** Undefined: the script is gone. */
  script: LiveScript | undefined
  /** All routes of the zone. */
  routes: readonly Route[]
  /** The account's custom domains. */
  domains: readonly { hostname: string; service: string }[]
}

export interface LiveScript {
  bindings: readonly ManifestEntry[]
  contentSha256: string
  compatibilityDate: string
  crons: readonly string[]
  workersDev: boolean
  previewUrls: boolean
}

/** One thing that is not as declared; no value of a variable or a secret is in it. */
export interface Difference {
  what: 'script' | 'binding' | 'route' | 'custom domain' | 'cron' | 'workers.dev'
  name: string
  declared: string
  live: string
}

/** Everything in which an account is not as a stack declares it; empty when nothing drifted. */
export function findDrift(declaration: Declaration, live: Live): Difference[] {
  const { scriptName } = declaration
  const hosting = [...compareRoutes(declaration, live), ...compareDomains(declaration, live)]
  if (live.script === undefined) {
    return [{ what: 'script', name: scriptName, declared: 'present', live: 'gone' }, ...hosting]
  }
  return [
    ...compareScript(declaration, live.script),
    ...hosting,
    ...findUsurpers(declaration, live),
  ]
}

function compareScript(declaration: Declaration, script: LiveScript): Difference[] {
  const differ = (what: Difference['what'], name: string, declared: string, live: string) =>
    declared === live ? [] : [{ what, name, declared, live }]
  const name = declaration.scriptName
  const { contentSha256, compatibilityDate } = declaration
  return [
    ...differ('script', 'content', toShort(contentSha256), toShort(script.contentSha256)),
    ...differ('script', 'compatibility date', compatibilityDate, script.compatibilityDate),
    ...compareBindings(declaration.bindings, script.bindings),
    ...differ('cron', name, toList(declaration.crons), toList(script.crons)),
    ...differ('workers.dev', name, 'off', script.workersDev ? 'on' : 'off'),
    ...differ('workers.dev', `previews of ${name}`, 'off', script.previewUrls ? 'on' : 'off'),
  ]
}

function compareBindings(
  declared: readonly ManifestEntry[],
  live: readonly ManifestEntry[],
): Difference[] {
  const names = [...new Set([...declared, ...live].map(({ name }) => name))]
  return names.toSorted().flatMap((name): Difference[] => {
    const here = toText(declared.find((entry) => entry.name === name))
    const there = toText(live.find((entry) => entry.name === name))
    return here === there ? [] : [{ what: 'binding', name, declared: here, live: there }]
  })
}

function compareRoutes({ scriptName, routes }: Declaration, live: Live): Difference[] {
  const difference = (name: string, declared: string, found: string): Difference[] =>
    declared === found ? [] : [{ what: 'route', name, declared, live: found }]
  const changed = routes.flatMap((pattern) => {
    const route = live.routes.find((each) => each.pattern === pattern)
    return difference(pattern, scriptName, route ? (route.script ?? 'no script') : 'gone')
  })
  const added = live.routes
    .filter(({ pattern, script }) => script === scriptName && !routes.includes(pattern))
    .flatMap(({ pattern }) => difference(pattern, 'absent', scriptName))
  return [...changed, ...added]
}

function compareDomains({ scriptName, hostnames }: Declaration, { domains }: Live): Difference[] {
  const changed = hostnames.flatMap((hostname): Difference[] => {
    const service = domains.find((domain) => domain.hostname === hostname)?.service ?? 'gone'
    return service === scriptName
      ? []
      : [{ what: 'custom domain', name: hostname, declared: scriptName, live: service }]
  })
  const added = domains
    .filter(({ hostname, service }) => service === scriptName && !hostnames.includes(hostname))
    .map(({ hostname }): Difference => {
      return { what: 'custom domain', name: hostname, declared: 'absent', live: scriptName }
    })
  return [...changed, ...added]
}

/** Routes of others that take requests from what is live as declared: the platform's order decides. */
function findUsurpers({ scriptName, routes, hostnames }: Declaration, live: Live): Difference[] {
  const domains = Object.fromEntries(live.domains.map((each) => [each.hostname, each.service]))
  const hosting = { routes: live.routes, domains }
  const isOwn = ({ script }: Route) => script === scriptName
  const held = [
    ...live.routes.filter((route) => isOwn(route) && routes.includes(route.pattern)),
    ...hostnames.map((hostname) => ({ pattern: `${hostname}/*`, script: domains[hostname] })),
  ]
  const others = live.routes.filter((route) => !isOwn(route) && !isMedia(route))
  return held.filter(isOwn).flatMap(({ pattern: name }) =>
    others.flatMap(({ pattern, script }): Difference[] => {
      const contested = toContested(name, pattern)
      if (!contested || findScript(hosting, contested) !== script) return []
      const winner = `${pattern} → ${script ?? 'no script'} wins`
      return [{ what: 'route', name, declared: `${scriptName} wins`, live: winner }]
    }),
  )
}

/** A URL that both patterns match, when there is one. */
function toContested(declared: string, other: string): URL | undefined {
  const [own, foreign] = [parsePattern(declared), parsePattern(other)]
  if (!own || !foreign) return undefined
  const path = foreign.path.length > own.path.length ? foreign.path : own.path
  const url = new URL(`http://${own.hostname}${path}`)
  const covers = (pattern: string) =>
    findScript({ routes: [{ pattern, script: 'this' }], domains: {} }, url) === 'this'
  return covers(declared) && covers(other) ? url : undefined
}

/** A media worker takes its paths from a site on purpose. */
function isMedia({ pattern, script }: Route): boolean {
  return (
    pattern.endsWith(`${MEDIA_PREFIX}*`) &&
    Object.values(environments).some(
      (each) => each.worker === 'media' && each.scriptName === script,
    )
  )
}

function toText(entry: ManifestEntry | undefined): string {
  if (entry === undefined) return 'absent'
  return entry.sha256 === undefined ? entry.type : `${entry.type} ${toShort(entry.sha256)}`
}

const toShort = (sha256: string) => `sha256 ${sha256.slice(0, 12)}`
const toList = (items: readonly string[]) => items.toSorted().join(', ') || 'none'
