/** A zone route. Without a script, no script runs for URLs that match its pattern. */
export interface WorkerRoute {
  pattern: string
  script?: string | undefined
}

/** Routes and custom domains, which decide the script of a URL. */
export interface Hosting {
  routes: readonly WorkerRoute[]
  /** Script by host name of the custom domain. */
  domains: Readonly<Record<string, string>>
}

export interface Pattern {
  /** Without its wildcard. */
  hostname: string
  /**
   * Whether the host begins with `*`, which matches any prefix: `*a.example` matches `b.a.example` and
   * `ba.example`.
   */
  anySubdomain: boolean
  /** Without its wildcard. */
  path: string
  /** Whether the path ends in `*`. */
  anyPath: boolean
}

const PATTERN = /^(?:https?:\/\/)?(\*?)([a-z0-9.-]+)(\/[^*?#]*(\*?))?$/i

/**
 * Parses a route pattern; undefined unless wildcards are only at the start of the host and the end of the
 * path.
 */
export function parsePattern(pattern: string): Pattern | undefined {
  const match = PATTERN.exec(pattern)
  if (!match) return undefined
  const [, wildcard = '', hostname = '', path = '/', rest = ''] = match
  return {
    hostname: hostname.toLowerCase(),
    anySubdomain: wildcard !== '',
    path: rest === '' ? path : path.slice(0, -1),
    anyPath: rest !== '',
  }
}

/**
 * Returns the script that runs for a URL: that of the most specific route, otherwise that of the custom
 * domain. Undefined: no script runs (developers.cloudflare.com/workers/configuration/routing/routes).
 */
export function findScript({ routes, domains }: Hosting, url: URL): string | undefined {
  const [route] = sortByPrecedence(routes.filter((each) => matchesUrl(each, url)))
  return route ? route.script : domains[url.hostname]
}

/** Sorts routes by precedence, most specific first; routes with invalid patterns are omitted. */
export function sortByPrecedence<R extends WorkerRoute>(routes: readonly R[]): R[] {
  return routes
    .flatMap((route) => {
      const parsed = parsePattern(route.pattern)
      return parsed ? [{ route, parsed }] : []
    })
    .sort((a, b) => comparePatterns(a.parsed, b.parsed))
    .map(({ route }) => route)
}

function matchesUrl({ pattern }: WorkerRoute, url: URL): boolean {
  const parsed = parsePattern(pattern)
  return parsed !== undefined && matches(parsed, url)
}

function matches(pattern: Pattern, { hostname, pathname, search }: URL): boolean {
  const matchesHost = pattern.anySubdomain
    ? hostname.endsWith(pattern.hostname)
    : hostname === pattern.hostname
  const target = pathname + search
  return (
    matchesHost && (pattern.anyPath ? target.startsWith(pattern.path) : target === pattern.path)
  )
}

/**
 * Compares two patterns that match the same URL: negative if the first has precedence, 0 if neither is more
 * specific. The host is compared before the path. Of `/images/*` and `/images*`, the second has precedence,
 * which is a known issue of the platform.
 */
export function comparePatterns(a: Pattern, b: Pattern): number {
  return (
    Number(a.anySubdomain) - Number(b.anySubdomain) ||
    b.hostname.length - a.hostname.length ||
    Number(a.anyPath) - Number(b.anyPath) ||
    withoutLastSlash(b).length - withoutLastSlash(a).length ||
    a.path.length - b.path.length
  )
}

function withoutLastSlash({ path }: Pattern): string {
  return path.replace(/\/$/, '')
}
