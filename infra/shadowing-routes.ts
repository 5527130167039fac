import { MEDIA_PREFIX } from '../contract/constants.ts'
import { environments } from './environments.ts'
import { comparePatterns, findScript, parsePattern, type Route } from './routing.ts'

interface Own {
  scriptName: string
  routes: readonly string[]
  hostnames: readonly string[]
}

interface Account {
  routes: readonly Route[]
  domains: readonly { hostname: string; service: string }[]
}

export interface ShadowingRoute {
  /** The declared pattern, or that of a whole custom domain. */
  pattern: string
  /** Which route takes requests from it. */
  winner: string
}

/**
 * Routes of other scripts that win over declared ones by the platform's order, and those of equal
 * precedence, for which Cloudflare documents no order.
 */
export function findShadowingRoutes(
  { scriptName, routes, hostnames }: Own,
  live: Account,
): ShadowingRoute[] {
  const domains = Object.fromEntries(live.domains.map((each) => [each.hostname, each.service]))
  const isOwn = ({ script }: Route) => script === scriptName
  const held = [
    ...live.routes.filter((route) => isOwn(route) && routes.includes(route.pattern)),
    ...hostnames.map((hostname) => ({
      pattern: `${hostname}/*`,
      script: domains[hostname],
      isDomain: true,
    })),
  ].filter(isOwn)
  const others = live.routes.filter((route) => !isOwn(route) && !isMedia(route))
  return held.flatMap((own) =>
    others.flatMap((other) => {
      const contested = toContestedUrl(own.pattern, other.pattern)
      if (!contested) return []
      const target = `${other.pattern} → ${other.script ?? 'no script'}`
      if (!('isDomain' in own) && isEqual(own.pattern, other.pattern)) {
        return [{ pattern: own.pattern, winner: `undecided: ${target} has equal precedence` }]
      }
      const script = findScript({ routes: live.routes, domains }, contested)
      return script === other.script ? [{ pattern: own.pattern, winner: `${target} wins` }] : []
    }),
  )
}

/** A URL that both patterns match; undefined when there is none. */
function toContestedUrl(declared: string, other: string): URL | undefined {
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

/** A media worker takes its paths from a site on purpose. */
function isMedia({ pattern, script }: Route): boolean {
  return (
    pattern.endsWith(`${MEDIA_PREFIX}*`) &&
    Object.values(environments).some(
      (each) => each.worker === 'media' && each.scriptName === script,
    )
  )
}
