import type { Cloudflare } from './cloudflare/cloudflare.ts'
import { parsePattern } from '../infra/routing.ts'
import type { Recording } from './record/recording.ts'

/** A stack as it runs here. */
export interface Environment {
  stack: string
  script: string
  /** What its script answers: a page's address, or where a path begins. */
  urls: string[]
  /** Address of its home page, when the whole of a host is its script's. */
  home: string | undefined
}

/** What answers where, told from the account and nothing else. */
export function listEnvironments(
  recordings: readonly Recording[],
  { routes, domains }: Cloudflare,
  port: number,
): Environment[] {
  return recordings.flatMap(({ stack, resources }) => {
    const declared = resources.find(({ type }) => type.endsWith(':WorkersScript'))
    const script = declared?.inputs.scriptName
    if (typeof script !== 'string') return []
    const patterns = [
      ...[...domains.values()].filter(({ service }) => service === script).map(toHostname),
      ...[...routes.values()].filter((route) => route.script === script).map(toPattern),
    ]
    const urls = patterns.flatMap((pattern) => toUrl(pattern, port) ?? [])
    return [{ stack, script, urls, home: urls.find((url) => new URL(url).pathname === '/') }]
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
