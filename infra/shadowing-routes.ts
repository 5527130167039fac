import { MEDIA_PREFIX } from '../contract/constants.ts'
import { environments } from './environments.ts'
import { comparePatterns, findScript, parsePattern, type WorkerRoute } from './routing.ts'

interface DeclaredHosting {
  scriptName: string
  routes: readonly string[]
  hostnames: readonly string[]
}

interface LiveHosting {
  routes: readonly WorkerRoute[]
  domains: readonly { hostname: string; service: string }[]
}

export interface ShadowingRoute {
  /** The declared pattern, or the pattern of a custom domain. */
  pattern: string
  /** The other route, its script and its precedence, for reports. */
  description: string
}

/**
 * Finds routes of other scripts that have precedence over declared routes and custom domains, or the same
 * precedence as a declared route: Cloudflare does not document which of the two gets the requests.
 */
export function findShadowingRoutes(
  { scriptName, routes, hostnames }: DeclaredHosting,
  live: LiveHosting,
): ShadowingRoute[] {
  const domains = Object.fromEntries(live.domains.map((each) => [each.hostname, each.service]))
  const isOwn = ({ script }: WorkerRoute) => script === scriptName
  // A missing route or another script's domain is reported as drift of its own.
  const declaredAndLive = [
    ...live.routes.filter((route) => isOwn(route) && routes.includes(route.pattern)),
    ...hostnames.map((hostname) => ({
      pattern: `${hostname}/*`,
      script: domains[hostname],
      isDomain: true,
    })),
  ].filter(isOwn)
  const others = live.routes.filter((route) => !isOwn(route) && !isMediaRoute(route))
  return declaredAndLive.flatMap((own) =>
    others.flatMap((other) => {
      const url = findCommonUrl(own.pattern, other.pattern)
      if (!url) return []
      const target = `${other.pattern} → ${other.script ?? 'no script'}`
      if (!('isDomain' in own) && isEqual(own.pattern, other.pattern)) {
        return [
          {
            pattern: own.pattern,
            description: `undecided: ${target} has the same precedence, either may get the requests`,
          },
        ]
      }
      const script = findScript({ routes: live.routes, domains }, url)
      return script === other.script
        ? [{ pattern: own.pattern, description: `${target} has precedence` }]
        : []
    }),
  )
}

/** Returns a URL that both patterns match, or undefined. The host of a declared pattern has no wildcard. */
function findCommonUrl(declared: string, other: string): URL | undefined {
  const [own, external] = [parsePattern(declared), parsePattern(other)]
  if (!own || !external) return undefined
  const path = external.path.length > own.path.length ? external.path : own.path
  const url = new URL(`http://${own.hostname}${path}`)
  const matches = (pattern: string) =>
    findScript({ routes: [{ pattern, script: 'this' }], domains: {} }, url) === 'this'
  return matches(declared) && matches(other) ? url : undefined
}

function isEqual(declared: string, other: string): boolean {
  const [own, external] = [parsePattern(declared), parsePattern(other)]
  return own !== undefined && external !== undefined && comparePatterns(own, external) === 0
}

/** Whether a media worker has the route. Its precedence over a site is intended. */
function isMediaRoute({ pattern, script }: WorkerRoute): boolean {
  return (
    pattern.endsWith(`${MEDIA_PREFIX}*`) &&
    Object.values(environments).some(
      (each) => each.worker === 'media' && each.scriptName === script,
    )
  )
}
