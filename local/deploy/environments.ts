import { environments } from '../../infra/environments.ts'
import { parsePattern } from '../../infra/routing.ts'
import type { CloudflareAccount } from '../emulators/cloudflare/account.ts'

/** A deployed script and its URLs. */
export interface DeployedEnvironment {
  /** Stack that declares the script, or the script's name if no stack declares it. */
  stack: string
  script: string
  /** URLs that are routed to the script: exact ones, or prefixes. */
  urls: string[]
  /** URL of the home page; undefined unless a whole host is routed to the script. */
  homeUrl: string | undefined
}

/** Returns an environment for each script of an account, in the order of `infra/environments.ts`. */
export function listEnvironments(
  { scripts, routes, domains }: CloudflareAccount,
  port: number,
): DeployedEnvironment[] {
  const stacks = Object.entries(environments)
  const indexOf = (script: string) => stacks.findIndex(([, each]) => each.scriptName === script)
  const names = [...scripts.keys()].toSorted((a, b) => indexOf(a) - indexOf(b))
  return names.map((script) => {
    const patterns = [
      ...[...domains.values()].filter(({ service }) => service === script).map(toHostPattern),
      ...[...routes.values()].filter((route) => route.script === script).map(toPattern),
    ]
    const urls = patterns.flatMap((pattern) => toUrl(pattern, port) ?? [])
    const stack = stacks[indexOf(script)]?.[0] ?? script
    return { stack, script, urls, homeUrl: urls.find((url) => new URL(url).pathname === '/') }
  })
}

const toHostPattern = ({ hostname }: { hostname: string }) => `${hostname}/*`
const toPattern = ({ pattern }: { pattern: string }) => pattern

function toUrl(pattern: string, port: number): string | undefined {
  const parsed = parsePattern(pattern)
  return parsed && !parsed.anySubdomain
    ? `http://${parsed.hostname}:${port}${parsed.path}`
    : undefined
}
