import { environments } from '../../infra/environments.ts'
import { parsePattern } from '../../infra/routing.ts'
import type { Cloudflare } from '../emulators/cloudflare/account.ts'

/** A deployed script. */
export interface Environment {
  /** The stack that declares it; the script's own name when none does. */
  stack: string
  script: string
  /** URLs that are routed to its script: of a page, or a prefix. */
  urls: string[]
  /** URL of its home page, when a whole host is routed to its script. */
  home: string | undefined
}

/** Environments and their addresses, derived from the account alone. */
export function listEnvironments(
  { scripts, routes, domains }: Cloudflare,
  port: number,
): Environment[] {
  const stacks = Object.entries(environments)
  const order = (script: string) => stacks.findIndex(([, each]) => each.scriptName === script)
  const names = [...scripts.keys()].toSorted((a, b) => order(a) - order(b))
  return names.map((script) => {
    const patterns = [
      ...[...domains.values()].filter(({ service }) => service === script).map(toHostname),
      ...[...routes.values()].filter((route) => route.script === script).map(toPattern),
    ]
    const urls = patterns.flatMap((pattern) => toUrl(pattern, port) ?? [])
    const stack = stacks[order(script)]?.[0] ?? script
    return { stack, script, urls, home: urls.find((url) => new URL(url).pathname === '/') }
  })
}

const toHostname = ({ hostname }: { hostname: string }) => `${hostname}/*`
const toPattern = ({ pattern }: { pattern: string }) => pattern

function toUrl(pattern: string, port: number): string | undefined {
  const parsed = parsePattern(pattern)
  return parsed && !parsed.anySubdomain
    ? `http://${parsed.hostname}:${port}${parsed.path}`
    : undefined
}
