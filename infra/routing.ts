/** A zone route: a script, or none to switch scripts off under its pattern. */
export interface Route {
  pattern: string
  script?: string | undefined
}

export interface Hosting {
  routes: readonly Route[]
  /** Script by the host name of its custom domain. */
  domains: Readonly<Record<string, string>>
}

export interface Pattern {
  host: string
  /** Without its wildcard. */
  hostname: string
  anySubdomain: boolean
  path: string
  anyPath: boolean
}

const PATTERN = /^(?:https?:\/\/)?((\*?)([a-z0-9.-]+))(\/[^*?#]*(\*?))?$/i

/** A route pattern: a wildcard may open the host and end the path, and stand nowhere else. */
export function parsePattern(pattern: string): Pattern | undefined {
  const match = PATTERN.exec(pattern)
  if (!match) return undefined
  const [, host = '', wildcard = '', hostname = '', path = '/', rest = ''] = match
  return {
    host: host.toLowerCase(),
    hostname: hostname.toLowerCase(),
    anySubdomain: wildcard !== '',
    path: rest === '' ? path : path.slice(0, -1),
    anyPath: rest !== '',
  }
}

/**
 * The script that answers a URL: the most specific route wins, and any route before a custom
 * domain of the same host (developers.cloudflare.com/workers/configuration/routing/routes).
 * Undefined: nothing answers there.
 */
export function findScript({ routes, domains }: Hosting, url: URL): string | undefined {
  const [route] = toPrecedence(routes.filter((each) => matchesUrl(each, url)))
  return route ? route.script : domains[url.hostname]
}

/** Routes in the order in which they are tried, most specific first; malformed patterns are left out. */
export function toPrecedence<R extends Route>(routes: readonly R[]): R[] {
  return routes
    .flatMap((route) => {
      const parsed = parsePattern(route.pattern)
      return parsed ? [{ route, parsed }] : []
    })
    .sort((a, b) => comparePatterns(a.parsed, b.parsed))
    .map(({ route }) => route)
}

function matchesUrl({ pattern }: Route, url: URL): boolean {
  const parsed = parsePattern(pattern)
  return parsed !== undefined && matches(parsed, url)
}

function matches(pattern: Pattern, { hostname, pathname, search }: URL): boolean {
  const host = pattern.anySubdomain
    ? hostname.endsWith(pattern.hostname)
    : hostname === pattern.hostname
  const target = pathname + search
  return host && (pattern.anyPath ? target.startsWith(pattern.path) : target === pattern.path)
}

/**
 * Order of two patterns that match a URL: negative where the first wins, 0 where neither is more
 * specific. The host decides before the path. Of `/images/*` and `/images*` the second wins
 * everything: a known issue of the platform.
 */
export function comparePatterns(a: Pattern, b: Pattern): number {
  return (
    Number(a.anySubdomain) - Number(b.anySubdomain) ||
    b.hostname.length - a.hostname.length ||
    Number(a.anyPath) - Number(b.anyPath) ||
    stem(b).length - stem(a).length ||
    a.path.length - b.path.length
  )
}

function stem({ path }: Pattern): string {
  return path.replace(/\/$/, '')
}
